import { createHash } from "node:crypto";
// Imported, so that tests with simulated timers do not stop it.
import { setTimeout as pause } from "node:timers/promises";
import type { StoredFile } from "../../functions/domain/file-ports.ts";
import { writeUnsynced } from "./file-bytes.ts";

/** Small files that are written after the response that contains them. */
export interface LateWrites {
  /**
   * Writes a new file soon, without waiting for it or the disk. Waits only if too many bytes have not been written yet.
   * A file that cannot be written is reported, and missing.
   */
  write(path: string, bytes: Uint8Array): Promise<StoredFile>;
  /** @returns a promise that resolves when the file has been written; undefined if it is not being written */
  ended(path: string): Promise<void> | undefined;
  /** Resolves when all files have been written. */
  allEnded(): Promise<void>;
}

/** Bytes that may wait in memory. */
const WAITING_BYTES_MAX = 16_000_000;

/**
 * Milliseconds until the files of a batch are written: about the time until the response is sent. Before, each step of
 * writing would interrupt the request, and the sync of its record would wait for the file as well.
 */
const DELAY_MS = 5;

/** @param onError called when a file cannot be written; nothing remains of it */
export const lateWrites = (onError: (error: unknown) => void): LateWrites => {
  const running = new Map<string, Promise<void>>();
  let waitingBytes = 0;
  let batch: Promise<void> | undefined;
  /** Resolves when the next batch is written. */
  const nextBatch = (): Promise<void> => {
    batch ??= pause(DELAY_MS).then(() => {
      batch = undefined;
    });
    return batch;
  };
  return {
    write: async (path, bytes) => {
      waitingBytes += bytes.length;
      const written = nextBatch()
        .then(() => writeUnsynced(path, bytes))
        .catch(onError)
        .finally(() => {
          running.delete(path);
          waitingBytes -= bytes.length;
        });
      running.set(path, written);
      if (waitingBytes > WAITING_BYTES_MAX) {
        await written;
      }
      return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    },
    ended: (path) => running.get(path),
    allEnded: async () => {
      await Promise.all(running.values());
    },
  };
};
