import { createZstdDecompress } from "node:zlib";
import { JobError } from "../../../domain/errors.ts";
import { type ByteReader, byteReader } from "./byte-reader.ts";
import { through } from "./through.ts";

const MAGIC = 0xfd2fb528;
const SKIPPED_MAGIC = 0x184d2a5;
const CHUNK_BYTES = 262_144;

/**
 * Unpacks all frames of a Zstandard file. Node stops after the first (24.21), but files written by several threads or
 * programs have more (RFC 8878, 3).
 *
 * @throws JobError `source_corrupt`; errors of the decoder
 */
export const zstdBytes = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = byteReader(source);
  for (let magic = await reader.take(4); magic !== undefined; magic = await reader.take(4)) {
    const value = magic.readUInt32LE();
    if (value === MAGIC) {
      yield* through(frame(reader, magic), createZstdDecompress({ chunkSize: CHUNK_BYTES }));
    } else if (value >>> 4 === SKIPPED_MAGIC) {
      await skip(reader, (await exactly(reader, 4)).readUInt32LE());
    } else {
      throw new JobError("source_corrupt", "The Zstandard file has unexpected bytes between its frames.");
    }
  }
};

const exactly = async (reader: ByteReader, bytes: number): Promise<Buffer> => {
  const taken = await reader.take(bytes);
  if (taken === undefined) {
    throw new JobError("source_corrupt", "The Zstandard file is truncated.");
  }
  return taken;
};

const skip = async (reader: ByteReader, bytes: number): Promise<void> => {
  for (let left = bytes; left > 0; ) {
    left -= (await reader.some(left)).length;
  }
};

/** Bytes of the dictionary ID and of the content size, by their flags (3.1.1.1.1). */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;

/** @returns the bytes of one frame, whose blocks declare their sizes */
const frame = async function* (reader: ByteReader, magic: Buffer): AsyncGenerator<Buffer> {
  const descriptor = await exactly(reader, 1);
  const flags = descriptor[0] ?? 0;
  const single = (flags & 0x20) !== 0;
  const size = SIZE_BYTES[flags >>> 6] ?? 0;
  const rest = (single ? Math.max(1, size) : 1 + size) + (DICTIONARY_BYTES[flags & 3] ?? 0);
  yield Buffer.concat([magic, descriptor, await exactly(reader, rest)]);
  for (let last = false; !last; ) {
    const header = await exactly(reader, 3);
    const word = header.readUIntLE(0, 3);
    last = (word & 1) === 1;
    // A block of type RLE has one byte, regardless of its declared size.
    const bytes = ((word >>> 1) & 3) === 1 ? 1 : word >>> 3;
    yield bytes === 0 ? header : Buffer.concat([header, await exactly(reader, bytes)]);
  }
  if ((flags & 4) !== 0) {
    yield await exactly(reader, 4);
  }
};
