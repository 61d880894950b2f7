import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { RequestError } from "../functions/domain/errors.ts";
import type { StoredFile } from "../functions/domain/ports.ts";

/** Bytes of a file that are in memory at a time. */
const READ_BYTES_MAX = 1_048_576;

/**
 * Writes a new file, and has it on the disk when this resolves. The stream is asked for more only when what it gave is
 * written, so memory stays flat.
 * @throws RequestError `payload_too_large` when it gives more than `bytesMax`; what was written then is still there
 */
export const writeNewFile = async (
  path: string,
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<StoredFile> => {
  const file = await open(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        throw new RequestError("payload_too_large", `The file is larger than ${bytesMax} bytes, the most that fits.`);
      }
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.datasync();
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
};

/** Measures a file, and has it on the disk when this resolves. */
export const sealFile = async (path: string): Promise<StoredFile> => {
  const file = await open(path, "r+");
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of chunksOf(file)) {
      bytes += chunk.length;
      hash.update(chunk);
    }
    await file.datasync();
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
};

/** Copies a file to a new one, which is on the disk when this resolves. */
export const copyFile = async (from: string, to: string): Promise<void> => {
  const file = await open(from, "r");
  try {
    await writeNewFile(to, chunksOf(file), Number.POSITIVE_INFINITY);
  } finally {
    await file.close();
  }
};

/** The bytes of a file, all in the same buffer: each chunk is good until the next is asked for. */
const chunksOf = async function* (file: FileHandle): AsyncGenerator<Uint8Array> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(size, READ_BYTES_MAX)));
  for (let bytesRead = buffer.length; bytesRead > 0; ) {
    ({ bytesRead } = await file.read(buffer, 0, buffer.length));
    yield buffer.subarray(0, bytesRead);
  }
};
