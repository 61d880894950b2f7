/**
 * Blocks of LZ4 (github.com/lz4/lz4, doc/lz4_Block_format.md): sequences of literals, each followed by a match: a copy of
 * bytes that were written before.
 */

/** Matches refer to at most this many bytes before. */
export const LZ4_WINDOW_BYTES = 65_535;

const MATCH_BYTES_MIN = 4;

/**
 * Decompresses a block.
 *
 * @param target the output, preceded by the bytes that matches may refer to
 * @param start where the output starts
 * @returns where the output ends; undefined if the block is damaged or its content exceeds the target
 */
export const decodeBlock = (source: Uint8Array, target: Uint8Array, start: number): number | undefined => {
  const reading: Reading = { source, at: 0 };
  let to = start;
  while (reading.at < source.length) {
    const token = source[reading.at] ?? 0;
    reading.at += 1;
    const literals = lengthOf(reading, token >>> 4);
    const from = reading.at;
    reading.at += literals;
    if (reading.at > source.length || to + literals > target.length) {
      return undefined;
    }
    target.set(source.subarray(from, reading.at), to);
    to += literals;
    if (reading.at === source.length) {
      return to;
    }
    const offset = (source[reading.at] ?? 0) | ((source[reading.at + 1] ?? 0) << 8);
    reading.at += 2;
    const length = MATCH_BYTES_MIN + lengthOf(reading, token & 15);
    if (offset === 0 || offset > to || to + length > target.length) {
      return undefined;
    }
    copyMatch(target, { to, offset, length });
    to += length;
  }
  // The last sequence has no match.
  return undefined;
};

interface Reading {
  readonly source: Uint8Array;
  at: number;
}

/** @returns a length whose first four bits are in the token, and the rest in the bytes after it */
const lengthOf = (reading: Reading, bits: number): number => {
  let length = bits;
  for (let more = bits === 15; more && reading.at < reading.source.length; reading.at += 1) {
    const byte = reading.source[reading.at] ?? 0;
    length += byte;
    more = byte === 255;
  }
  return length;
};

/** A match can overlap its own output, which repeats it. */
const copyMatch = (
  target: Uint8Array,
  { to, offset, length }: { readonly to: number; readonly offset: number; readonly length: number },
): void => {
  if (offset >= length) {
    target.copyWithin(to, to - offset, to - offset + length);
    return;
  }
  for (let at = to; at < to + length; at += 1) {
    target[at] = target[at - offset] ?? 0;
  }
};

/** The last match starts at least this many bytes before the end, and the last bytes are literals. */
const LAST_MATCH_BYTES = 12;
const LAST_LITERALS_BYTES = 5;
const HASH_BITS = 16;

/** @returns the compressed block; undefined if it would not be smaller */
export const encodeBlock = (source: Buffer): Buffer | undefined => {
  const target = Buffer.allocUnsafe(source.length);
  const last = new Int32Array(1 << HASH_BITS).fill(-1);
  const writing = { target, at: 0 };
  let anchor = 0;
  let misses = 0;
  for (let at = 0; at <= source.length - LAST_MATCH_BYTES; ) {
    const word = source.readInt32LE(at);
    const slot = Math.imul(word, -1_640_531_535) >>> (32 - HASH_BITS);
    const match = last[slot] ?? -1;
    last[slot] = at;
    if (match < 0 || at - match > LZ4_WINDOW_BYTES || source.readInt32LE(match) !== word) {
      // Bytes without matches are skipped faster and faster.
      misses += 1;
      at += 1 + (misses >>> 6);
      continue;
    }
    const length = matchLength(source, match, at);
    if (!writeSequence(writing, { literals: source.subarray(anchor, at), offset: at - match, length })) {
      return undefined;
    }
    at += length;
    anchor = at;
    misses = 0;
  }
  const isWritten = writeSequence(writing, { literals: source.subarray(anchor), offset: 0, length: 0 });
  return isWritten ? target.subarray(0, writing.at) : undefined;
};

const matchLength = (source: Buffer, match: number, at: number): number => {
  const most = source.length - LAST_LITERALS_BYTES - at;
  let length = MATCH_BYTES_MIN;
  while (length < most && source[match + length] === source[at + length]) {
    length += 1;
  }
  return length;
};

interface Sequence {
  readonly literals: Uint8Array;
  readonly offset: number;
  /** 0 for the last sequence. */
  readonly length: number;
}

/** @returns whether the sequence fits */
const writeSequence = (
  writing: { readonly target: Buffer; at: number },
  { literals, offset, length }: Sequence,
): boolean => {
  const { target } = writing;
  const rest = Math.max(0, length - MATCH_BYTES_MIN);
  const bytes = 1 + literals.length + Math.floor(literals.length / 255) + 3 + Math.floor(rest / 255) + 1;
  if (writing.at + bytes > target.length) {
    return false;
  }
  target[writing.at] = (Math.min(15, literals.length) << 4) | Math.min(15, rest);
  writing.at += 1;
  writeLength(writing, literals.length);
  target.set(literals, writing.at);
  writing.at += literals.length;
  if (length > 0) {
    writing.at = target.writeUInt16LE(offset, writing.at);
    writeLength(writing, rest);
  }
  return true;
};

const writeLength = (writing: { readonly target: Buffer; at: number }, length: number): void => {
  if (length < 15) {
    return;
  }
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) {
    writing.target[writing.at] = 255;
    writing.at += 1;
  }
  writing.target[writing.at] = rest;
  writing.at += 1;
};
