import { readChunks } from "../text/chunks.ts";

const QUOTE = 34;
const LINE_END = 10;

/**
 * Counts the rows of a well-formed CSV, including the header, as line ends outside quotes. For a malformed one, the
 * number is wrong and differs from what a reader finds, which is how it is detected.
 */
export const countRows = async (path: string): Promise<number> => {
  const state = { rows: 0, outside: 1 };
  let last = LINE_END;
  for await (const chunk of readChunks(path)) {
    countIn(chunk, state);
    last = chunk[chunk.length - 1] ?? last;
  }
  return last === LINE_END ? state.rows : state.rows + 1;
};

interface Count {
  rows: number;
  outside: number;
}

const WORD_BYTES = 4;
const QUOTES = 0x22222222;
const LINE_ENDS = 0x0a0a0a0a;

/**
 * Most bytes of a text are irrelevant, so four at a time are skipped with one check where possible: a word has a zero
 * byte when `(word - 0x01010101) & ~word & 0x80808080` is not 0 (Hacker's Delight, 6-1), and XOR turns bytes that match
 * into zero.
 */
const countIn = (chunk: Uint8Array, count: Count): void => {
  const aligned = chunk.byteOffset % WORD_BYTES === 0;
  const words = aligned ? new Int32Array(chunk.buffer, chunk.byteOffset, Math.floor(chunk.length / WORD_BYTES)) : [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    const quotes = word ^ QUOTES;
    const ends = word ^ LINE_ENDS;
    if (((((quotes - 0x01010101) & ~quotes) | ((ends - 0x01010101) & ~ends)) & 0x80808080) !== 0) {
      countBytes(chunk, index * WORD_BYTES, (index + 1) * WORD_BYTES, count);
    }
  }
  countBytes(chunk, words.length * WORD_BYTES, chunk.length, count);
};

const countBytes = (chunk: Uint8Array, from: number, to: number, count: Count): void => {
  for (let index = from; index < to; index += 1) {
    const byte = chunk[index];
    if (byte === QUOTE) {
      count.outside = 1 - count.outside;
    } else if (byte === LINE_END) {
      count.rows += count.outside;
    }
  }
};
