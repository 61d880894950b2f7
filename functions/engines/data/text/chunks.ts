import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OUTPUT_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

const CHUNK_BYTES = 1_048_576;

/** Receives the number of bytes read and the size of the file. */
export type BytesRead = (bytes: number, ofBytes: number) => void;

/** Reads a part of a file in chunks. The memory of a chunk is reused for the next. @default the entire file */
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

/** Reads a UTF-8 text in chunks, without its byte order mark; invalid bytes become U+FFFD. */
export const readTextChunks = async function* (path: string, bytesRead?: BytesRead): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of readChunks(path, { bytesRead })) {
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
};

/**
 * Writes a text in UTF-8 as a stream.
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
  new JobError("output_too_large", `The result has more than ${OUTPUT_BYTES_MAX} bytes, the maximum.`);

/** Minimum characters per write: a stream needs a microsecond for each write, however short. */
const PIECE_CHARACTERS = 65_536;

/** @returns the text in pieces of a minimum size */
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

/** @returns the text, or a line end when it is empty: a file without rows must not be empty */
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
