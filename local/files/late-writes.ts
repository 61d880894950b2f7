import { createHash } from "node:crypto";
import type { StoredFile } from "../../functions/domain/file-ports.ts";
import { writeUnsynced } from "./file-bytes.ts";

/** Small files that are written after the response that contains them. */
export interface LateWrites {
  /**
   * Starts to write a new file without waiting for the disk. Waits only if too many bytes have not been written yet.
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

/** @param onError called when a file cannot be written; nothing remains of it */
export const lateWrites = (onError: (error: unknown) => void): LateWrites => {
  const running = new Map<string, Promise<void>>();
  let waitingBytes = 0;
  return {
    write: async (path, bytes) => {
      waitingBytes += bytes.length;
      const written = writeUnsynced(path, bytes)
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
