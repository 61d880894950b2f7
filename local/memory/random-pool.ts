import { randomFillSync } from "node:crypto";
import type { RandomBytes } from "../../functions/domain/ids.ts";

/** Bytes that are created at a time: a call for ten takes as long as one for all of them. */
const POOL_BYTES = 4_096;

/** @returns a source of random bytes for IDs and tokens, each of which is returned once */
export const randomPool = (fill: (bytes: Buffer) => void = randomFillSync): RandomBytes => {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (count) => {
    if (count > POOL_BYTES) {
      const bytes = Buffer.alloc(count);
      fill(bytes);
      return bytes;
    }
    if (used + count > POOL_BYTES) {
      fill(pool);
      used = 0;
    }
    const bytes = Buffer.from(pool.subarray(used, used + count));
    // What was returned is not kept, because tokens are secret.
    pool.fill(0, used, used + count);
    used += count;
    return bytes;
  };
};
