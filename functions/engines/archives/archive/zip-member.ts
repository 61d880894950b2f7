import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { crc32, createZstdDecompress, inflateRawSync } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { JobError } from "../../../domain/errors.ts";
import { through } from "./through.ts";

/** An open zip: with yauzl, which parses its directory, and as a file, for members that are read in one call. */
export interface OpenZip {
  readonly zip: ZipFile;
  readonly file: FileHandle;
}

const STORED = 0;
const DEFLATED = 8;
const ZSTANDARD = 93;
const READ_METHODS: readonly number[] = [STORED, DEFLATED, ZSTANDARD];

/** @returns whether Node can unpack it */
export const canRead = (entry: Entry): boolean =>
  !entry.isEncrypted() && READ_METHODS.includes(entry.compressionMethod);

/**
 * Returns the content of a member and checks it against the size and the checksum in the directory.
 *
 * @throws JobError `source_corrupt`; errors of yauzl and zlib
 */
export const memberBytes = async function* (open: OpenZip, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  let bytes = 0;
  for await (const chunk of plainBytes(open, entry)) {
    sum = crc32(chunk, sum);
    bytes += chunk.length;
    yield chunk;
  }
  if (sum !== entry.crc32 || bytes !== entry.uncompressedSize) {
    throw new JobError("source_corrupt", `The zip is damaged: the checksum of ${entry.fileNameRaw} does not match.`, {
      isFinal: true,
    });
  }
};

/** Maximum bytes of a member that is unpacked in one call: for many small ones, streams cost more than the data. */
const IN_MEMORY_BYTES_MAX = 1_048_576;

const plainBytes = async function* ({ zip, file }: OpenZip, entry: Entry): AsyncGenerator<Buffer> {
  const { compressionMethod: method, uncompressedSize, compressedSize } = entry;
  if (method === ZSTANDARD) {
    yield* through(await zip.openReadStreamPromise(entry, { decodeFileData: false }), createZstdDecompress());
  } else if (Math.max(uncompressedSize, compressedSize) > IN_MEMORY_BYTES_MAX) {
    yield* await zip.openReadStreamPromise(entry);
  } else {
    const packed = packedBytes(file, entry);
    yield method === STORED ? packed : inflated(packed, uncompressedSize);
  }
};

/** Unpacking stops when a member exceeds its declared size. Node's default chunk size is 16 kB. */
const inflated = (packed: Buffer, bytes: number): Buffer =>
  inflateRawSync(packed, { maxOutputLength: bytes + 1, chunkSize: bytes + CHUNK_BYTES_MIN });

const CHUNK_BYTES_MIN = 64;

const HEADER_BYTES = 30;
const SIGNATURE = 0x04034b50;
/** Bytes by which extra fields in the local header may exceed those in the directory: usually times. */
const MORE_EXTRA_BYTES = 64;

const packedBytes = (file: FileHandle, entry: Entry): Buffer => {
  const { relativeOffsetOfLocalHeader: at, compressedSize, fileNameLength, extraFieldLength } = entry;
  const guess = HEADER_BYTES + fileNameLength + extraFieldLength + MORE_EXTRA_BYTES + compressedSize;
  const local = bytesAt(file, at, guess);
  if (local.length < HEADER_BYTES || local.readUInt32LE(0) !== SIGNATURE) {
    throw new JobError("source_corrupt", "The zip is damaged: a member is not where its directory says.", {
      isFinal: true,
    });
  }
  const start = HEADER_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  const there = start + compressedSize <= local.length;
  const packed = there ? local.subarray(start, start + compressedSize) : bytesAt(file, at + start, compressedSize);
  if (packed.length < compressedSize) {
    throw new JobError("source_corrupt", "The zip is truncated.", { isFinal: true });
  }
  return packed;
};

/** Reads synchronously: the process does nothing else, and handing over to a thread takes longer than the disk. */
const bytesAt = ({ fd }: FileHandle, at: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
};
