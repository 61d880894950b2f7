import { createHash } from "node:crypto";
import { closeSync, constants, fdatasync, open, read, readFileSync, writev, writevSync } from "node:fs";
import { promisify } from "node:util";
import { openPlain } from "../../functions/adapters/plain-file.ts";
import { unavailable } from "../../functions/domain/errors/resource-errors.ts";
import { JobError, RequestError } from "../../functions/domain/errors.ts";
import type { StoredFile } from "../../functions/domain/file-ports.ts";
import { sha256Hex } from "../../functions/domain/ids.ts";
import type { PendingSyncs } from "./pending-syncs.ts";

/**
 * Closing, and reading and writing small files, take microseconds synchronously, and several times that in the thread
 * pool. Only slow operations use the thread pool: many bytes, disk syncs, and creating a file, which waits while the
 * file system writes its journal.
 */
const [readSome, writeSome, waitForDisk] = [promisify(read), promisify(writev), promisify(fdatasync)];
const makeFile = promisify(open);

/** Maximum bytes that are read or written synchronously, which takes well under a millisecond. */
export const SMALL_BYTES_MAX = 262_144;

/** Bytes of a large file that are read at a time. */
const READ_BYTES_MAX = 1_048_576;

/**
 * Makes an empty file that only the owner can read.
 * @returns its descriptor
 * @throws RequestError `temporarily_unavailable` if the disk is full, read-only or defective
 */
export const makeNewFile = (path: string): Promise<number> => makeFile(path, "wx", 0o600).catch(rethrow);

/**
 * Writes a new file, and resolves when it is on the disk. The stream is read with backpressure, so memory use is
 * constant.
 * @param move called when the file is written, at the same time as its sync
 * @throws RequestError `payload_too_large` if it has more than `bytesMax` bytes, `temporarily_unavailable` if the disk
 * is full, read-only or defective; the partial file remains
 */
export const writeNewFile = async (
  path: string,
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
  move: () => Promise<void> = async () => {},
): Promise<StoredFile> => writeContent(await makeNewFile(path), stream, bytesMax, move);

/**
 * Writes the content of a new file, as {@link writeNewFile} does, and closes it.
 * @param file the descriptor of an empty file
 */
export const writeContent = async (...content: Parameters<typeof writeContentSoon>): Promise<StoredFile> => {
  const { file, onDisk } = await writeContentSoon(...content);
  await onDisk;
  return file;
};

/** The same. Resolves when the file was moved, and `onDisk` when it is on the disk. */
export const writeContentSoon = async (
  file: number,
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
  move: () => Promise<void>,
): Promise<{ readonly file: StoredFile; readonly onDisk: Promise<void> }> => {
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    let [waiting, waitingBytes] = [[] as Uint8Array[], 0];
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        throw new RequestError("payload_too_large", `The file is larger than the limit of ${bytesMax} bytes.`);
      }
      hash.update(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes > SMALL_BYTES_MAX) {
        await writeAll(file, waiting);
        [waiting, waitingBytes] = [[], 0];
      }
    }
    writeAllNow(file, waiting);
    return { file: { bytes, sha256: hash.digest("hex") }, onDisk: synced(file, move()) };
  } catch (error) {
    closeSync(file);
    return rethrow(error);
  }
};

const synced = async (file: number, moved: Promise<void>): Promise<void> => {
  try {
    await Promise.all([moved, waitForDisk(file)]);
  } catch (error) {
    rethrow(error);
  } finally {
    closeSync(file);
  }
};

/**
 * Writes the content of a new small file, and closes it. When this returns, the system has the content, so that it
 * outlives the process; its sync is added to `pending`.
 * @param file the descriptor of an empty file
 */
export const writeSmallContent = (file: number, bytes: Uint8Array, pending: PendingSyncs): StoredFile => {
  try {
    writeAllNow(file, [bytes]);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  pending.add(waitForDisk(file).finally(() => closeSync(file)));
  return { bytes: bytes.length, sha256: sha256Hex(bytes) };
};

/** Converts resource errors, which a form parser would otherwise report as errors of the form. */
const rethrow = (error: unknown): never => {
  throw unavailable(error) ?? error;
};

/** The properties of a file when it was sealed. */
export interface SealedFile extends StoredFile {
  /** Identifies the file, to detect a replacement. */
  readonly inode: number;
}

/**
 * Hashes the result of an engine, and resolves when it is on the disk, or if it is small and `pending` is set, when its
 * sync was added to it.
 * @throws JobError `engine_failed` if it is not a regular file, or has a second hard link: it could be any of our files
 */
export const sealFile = async (path: string, pending?: PendingSyncs): Promise<SealedFile> => {
  const { descriptor: file, stats } = openPlain(path, constants.O_RDWR);
  const small = stats.size <= SMALL_BYTES_MAX;
  let isPending = false;
  try {
    if (stats.nlink !== 1) {
      throw new JobError("engine_failed", "The result of the engine has a second hard link.");
    }
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of small ? [readFileSync(file)] : chunksOf(file)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    const sync = waitForDisk(file);
    if (small && pending !== undefined) {
      isPending = true;
      pending.add(sync.finally(() => closeSync(file)));
    } else {
      await sync;
    }
    return { bytes, sha256: hash.digest("hex"), inode: stats.ino };
  } finally {
    if (!isPending) {
      closeSync(file);
    }
  }
};

/** The bytes of a file in a reused buffer: a chunk is only valid until the next is requested. */
const chunksOf = async function* (file: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(READ_BYTES_MAX);
  for (let bytesRead = 1; bytesRead > 0; ) {
    ({ bytesRead } = await readSome(file, buffer, 0, buffer.length, null));
    yield buffer.subarray(0, bytesRead);
  }
};

/** A system call may write only some of the bytes. */
const writeAll = async (file: number, chunks: readonly Uint8Array[]): Promise<void> => {
  for (let remaining = chunks; remaining.length > 0; ) {
    remaining = rest(remaining, (await writeSome(file, remaining)).bytesWritten);
  }
};

const writeAllNow = (file: number, chunks: readonly Uint8Array[]): void => {
  for (let remaining = chunks; remaining.length > 0; ) {
    remaining = rest(remaining, writevSync(file, remaining));
  }
};

/** @returns the chunks without the first `written` bytes */
const rest = (chunks: readonly Uint8Array[], written: number): readonly Uint8Array[] => {
  let bytes = written;
  return chunks.flatMap((chunk) => {
    const done = Math.min(bytes, chunk.length);
    bytes -= done;
    return done === chunk.length ? [] : [chunk.subarray(done)];
  });
};
