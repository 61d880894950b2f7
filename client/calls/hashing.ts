import { sleep } from "../http/retry.ts";
import type { Hasher } from "../transfer/sha256.ts";

/** A hash that lets pages respond: after at most 20 ms and one slice, other tasks run. */
export interface PatientHasher {
  update(bytes: Uint8Array): Promise<void>;
  /** @returns the hash in hexadecimal */
  digest(): string;
}

/** A slow phone hashes 20 MB/s, so a slice takes at most 25 ms. */
const SLICE_BYTES = 500_000;
const RUN_MS_MAX = 20;

export const patient = (hasher: Hasher): PatientHasher => {
  let start = Date.now();
  return {
    digest: () => hasher.digest(),
    update: async (bytes) => {
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
        hasher.update(bytes.subarray(at, at + SLICE_BYTES));
        if (Date.now() - start >= RUN_MS_MAX) {
          await sleep(0);
          start = Date.now();
        }
      }
    },
  };
};

/** Bytes that are read at once, so that memory use stays constant for files of gigabytes. */
const PIECE_BYTES = 4_000_000;

/** @returns the SHA-256 of the file, in hexadecimal @throws the signal's reason */
export const hashOf = async (hasher: Hasher, blob: Blob, signal: AbortSignal): Promise<string> => {
  const hash = patient(hasher);
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    signal.throwIfAborted();
    await hash.update(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()));
  }
  return hash.digest();
};
