import { createHash } from "node:crypto";
import { closeSync, fdatasync, fstatSync, openSync, read, readFileSync, write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { RequestError } from "../functions/domain/errors.ts";
import type { StoredFile } from "../functions/domain/ports.ts";

/**
 * Opening, closing and small files take microseconds when they are done at once, and several times that by way of the
 * thread pool. What may take long goes that way: many bytes, and waiting for the disk.
 */
const [readSome, writeSome, waitForDisk] = [promisify(read), promisify(write), promisify(fdatasync)];

/** Bytes that are read or written at once, in well under a millisecond. */
const SMALL_BYTES_MAX = 262_144;

/** Bytes of a large file that are read at a time. */
const READ_BYTES_MAX = 1_048_576;

/**
 * Writes a new file, and has it on the disk when this resolves. The stream is asked for more only when there is room for
 * it, so memory stays flat.
 * @throws RequestError `payload_too_large` when it gives more than `bytesMax`; what was written then is still there
 */
export const writeNewFile = async (
  path: string,
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<StoredFile> => {
  const file = openSync(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    let [waiting, waitingBytes] = [[] as Uint8Array[], 0];
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        throw new RequestError("payload_too_large", `The file is larger than ${bytesMax} bytes, the most that fits.`);
      }
      hash.update(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes > SMALL_BYTES_MAX) {
        await writeAll(file, Buffer.concat(waiting));
        [waiting, waitingBytes] = [[], 0];
      }
    }
    writeAllNow(file, Buffer.concat(waiting));
    await waitForDisk(file);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(file);
  }
};

/** Measures a file, and has it on the disk when this resolves. */
export const sealFile = async (path: string): Promise<StoredFile> => {
  const file = openSync(path, "r+");
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    const small = fstatSync(file).size <= SMALL_BYTES_MAX;
    for await (const chunk of small ? [readFileSync(file)] : chunksOf(file)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    await waitForDisk(file);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(file);
  }
};

/** The bytes of a file, all in the same buffer: each chunk is good until the next is asked for. */
const chunksOf = async function* (file: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(READ_BYTES_MAX);
  for (let bytesRead = 1; bytesRead > 0; ) {
    ({ bytesRead } = await readSome(file, buffer, 0, buffer.length, null));
    yield buffer.subarray(0, bytesRead);
  }
};

/** The system may write less than it was given. */
const writeAll = async (file: number, bytes: Uint8Array): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    written += (await writeSome(file, bytes, written)).bytesWritten;
  }
};

const writeAllNow = (file: number, bytes: Uint8Array): void => {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
};
