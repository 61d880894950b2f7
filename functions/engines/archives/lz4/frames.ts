import { JobError } from "../../../domain/errors.ts";
import { byteReader } from "../archive/byte-reader.ts";
import { decodeBlock, LZ4_WINDOW_BYTES } from "./block.ts";
import { type Xxh32, xxh32 } from "./xxh32.ts";

const MAGIC = 0x184d2204;
const LEGACY_MAGIC = 0x184c2102;
const SKIPPED_MAGIC = 0x184d2a5;
/** Content of every block of a legacy frame but the last, and its maximum compressed size. */
const LEGACY_BLOCK_BYTES = 8 * 1_024 * 1_024;
const LEGACY_PACKED_BYTES_MAX = LEGACY_BLOCK_BYTES + Math.ceil(LEGACY_BLOCK_BYTES / 255) + 16;

/**
 * Unpacks all frames of an LZ4 file (github.com/lz4/lz4, doc/lz4_Frame_format.md), including legacy frames.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`
 */
export const lz4Bytes = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = byteReader(source);
  const steps = unpacking();
  for (let step = steps.next(); step.done !== true; ) {
    if (typeof step.value === "number") {
      step = steps.next(await reader.take(step.value));
    } else {
      yield step.value;
      step = steps.next();
    }
  }
};

/**
 * @returns the content of frames in memory
 * @throws JobError `source_corrupt`, `unsupported_feature`; `out_of_memory` if it has more than the maximum of bytes
 */
export const lz4Content = (packed: Buffer, bytesMax: number): Buffer => {
  const steps = unpacking();
  const pieces: Buffer[] = [];
  let [at, bytes] = [0, 0];
  for (let step = steps.next(); step.done !== true; ) {
    if (typeof step.value === "number") {
      const piece = packed.subarray(at, at + step.value);
      if (piece.length > 0 && piece.length < step.value) {
        throw damaged("it is truncated");
      }
      at += piece.length;
      step = steps.next(piece.length === 0 ? undefined : piece);
    } else {
      pieces.push(step.value);
      bytes += step.value.length;
      if (bytes > bytesMax) {
        throw new JobError("out_of_memory", `The LZ4 content has more than ${bytesMax} bytes, the maximum.`);
      }
      step = steps.next();
    }
  }
  return Buffer.concat(pieces);
};

/**
 * A decoder that does not know where its input comes from: it yields the number of bytes that it needs next, and is
 * continued with them (undefined at the end of the input), or it yields unpacked bytes.
 */
type Unpacking<Result> = Generator<number | Buffer, Result, Buffer | undefined>;

const unpacking = function* (): Unpacking<void> {
  let magic = (yield 4)?.readUInt32LE();
  while (magic !== undefined) {
    if (magic === LEGACY_MAGIC) {
      magic = yield* legacyFrame();
      continue;
    }
    if (magic === MAGIC) {
      yield* frame();
    } else if (magic >>> 4 === SKIPPED_MAGIC) {
      yield* skip((yield* exactly(4)).readUInt32LE());
    } else {
      throw damaged("unexpected bytes between its frames");
    }
    magic = (yield 4)?.readUInt32LE();
  }
};

const damaged = (reason: string): JobError => new JobError("source_corrupt", `The LZ4 file is damaged: ${reason}.`);

const exactly = function* (bytes: number): Unpacking<Buffer> {
  const taken = bytes === 0 ? Buffer.alloc(0) : yield bytes;
  if (taken === undefined) {
    throw damaged("it is truncated");
  }
  return taken;
};

const SKIPPED_BYTES = 65_536;

const skip = function* (bytes: number): Unpacking<void> {
  for (let left = bytes; left > 0; left -= SKIPPED_BYTES) {
    yield* exactly(Math.min(left, SKIPPED_BYTES));
  }
};

/** What the descriptor of a frame declares. */
interface Descriptor {
  readonly isIndependent: boolean;
  readonly hasBlockSums: boolean;
  readonly hasContentSum: boolean;
  readonly blockBytesMax: number;
}

/** Maximum sizes of blocks, by the number in the descriptor. */
const BLOCK_BYTES = new Map([
  [4, 64 * 1_024],
  [5, 256 * 1_024],
  [6, 1_024 * 1_024],
  [7, 4 * 1_024 * 1_024],
]);

const descriptorOf = function* (): Unpacking<Descriptor> {
  const fixed = yield* exactly(2);
  const [flags = 0, sizes = 0] = fixed;
  const blockBytesMax = BLOCK_BYTES.get((sizes >>> 4) & 7);
  if (flags >>> 6 !== 1 || blockBytesMax === undefined) {
    throw damaged("its frame header is not valid");
  }
  const size = (flags & 8) === 0 ? Buffer.alloc(0) : yield* exactly(8);
  if ((flags & 1) !== 0) {
    throw new JobError("unsupported_feature", "The LZ4 file was compressed with a dictionary, which is not supported.");
  }
  const sum = xxh32();
  sum.update(Buffer.concat([fixed, size]));
  if ((yield* exactly(1))[0] !== ((sum.digest() >>> 8) & 0xff)) {
    throw damaged("the checksum of its frame header does not match");
  }
  return {
    isIndependent: (flags & 0x20) !== 0,
    hasBlockSums: (flags & 0x10) !== 0,
    hasContentSum: (flags & 4) !== 0,
    blockBytesMax,
  };
};

const STORED = 0x80000000;

const frame = function* (): Unpacking<void> {
  const { isIndependent, hasBlockSums, hasContentSum, blockBytesMax } = yield* descriptorOf();
  const content = xxh32();
  let window: Buffer = Buffer.alloc(0);
  for (;;) {
    const header = (yield* exactly(4)).readUInt32LE();
    if (header === 0) {
      break;
    }
    const bytes = (header & ~STORED) >>> 0;
    if (bytes > blockBytesMax) {
      throw damaged("a block exceeds the declared size");
    }
    const packed = yield* exactly(bytes);
    if (hasBlockSums) {
      yield* checkSum(sumOf(packed), "block");
    }
    const plain = header >= STORED ? packed : unpacked(packed, window, blockBytesMax);
    if (hasContentSum) {
      content.update(plain);
    }
    if (!isIndependent) {
      window = Buffer.concat([window, plain]).subarray(-LZ4_WINDOW_BYTES);
    }
    yield plain;
  }
  if (hasContentSum) {
    yield* checkSum(content, "content");
  }
};

const sumOf = (bytes: Uint8Array): Xxh32 => {
  const sum = xxh32();
  sum.update(bytes);
  return sum;
};

const checkSum = function* (sum: Xxh32, what: string): Unpacking<void> {
  if ((yield* exactly(4)).readUInt32LE() !== sum.digest()) {
    throw damaged(`a ${what} checksum does not match`);
  }
};

const unpacked = (packed: Buffer, window: Buffer, bytesMax: number): Buffer => {
  const target = Buffer.allocUnsafe(window.length + bytesMax);
  window.copy(target);
  const end = decodeBlock(packed, target, window.length);
  if (end === undefined) {
    throw damaged("a block cannot be unpacked");
  }
  return target.subarray(window.length, end);
};

/** @returns the magic number of the next frame; undefined at the end of the file */
const legacyFrame = function* (): Unpacking<number | undefined> {
  for (;;) {
    const size = (yield 4)?.readUInt32LE();
    if (size === undefined || size > LEGACY_PACKED_BYTES_MAX) {
      return size;
    }
    yield unpacked(yield* exactly(size), Buffer.alloc(0), LEGACY_BLOCK_BYTES);
  }
};
