import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OUTPUT_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";

const CHUNK_BYTES = 1_048_576;

/** Told how many bytes of a file have been read, and of how many. */
export type BytesRead = (bytes: number, ofBytes: number) => void;

/** Reads a part of a file in chunks; the memory of one is used for the next. @default the whole file */
export const readChunks = async function* (
  path: string,
  { start = 0, end, bytesRead }: { start?: number; end?: number; bytesRead?: BytesRead | undefined } = {},
): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const last = end ?? size;
    const memory = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = start; at < last; ) {
      const { bytesRead: bytes } = await file.read(memory, 0, Math.min(CHUNK_BYTES, last - at), at);
      if (bytes === 0) {
        return;
      }
      yield memory.subarray(0, bytes);
      at += bytes;
      bytesRead?.(at, size);
    }
  } finally {
    await file.close();
  }
};

/** Reads a text in UTF-8 in chunks, without its byte order mark; bytes that are none become U+FFFD. */
export const readTextChunks = async function* (path: string, bytesRead?: BytesRead): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of readChunks(path, { bytesRead })) {
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
};

/**
 * Writes a text in UTF-8 as it comes.
 *
 * @throws JobError `output_too_large` over {@link OUTPUT_BYTES_MAX} bytes
 */
export const writeText = async (path: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> => {
  let bytes = 0;
  const counted = new Transform({
    decodeStrings: true,
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      done(bytes > OUTPUT_BYTES_MAX ? tooLarge() : null, chunk);
    },
  });
  await pipeline(Readable.from(chunks, { objectMode: true }), counted, createWriteStream(path, { flags: "wx" }));
};

const tooLarge = (): JobError =>
  new JobError("output_too_large", `The result has over ${OUTPUT_BYTES_MAX} bytes, which is the most allowed.`);

/** Characters of a piece that is written at once: a stream takes a microsecond for each, however short it is. */
const PIECE_CHARACTERS = 65_536;

/** @returns the text in pieces of some size */
export const inPieces = function* (texts: Iterable<string>): Generator<string> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = "";
    }
  }
  yield piece;
};

/** @returns the text, or a line end where there is none: a file of no rows is still a file */
export const orBlankLine = async function* (chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let empty = true;
  for await (const chunk of chunks) {
    empty &&= chunk === "";
    yield chunk;
  }
  if (empty) {
    yield "\n";
  }
};
