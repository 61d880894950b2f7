import { createHash } from "node:crypto";
import type { LocalContext } from "../context.ts";

/**
 * Milliseconds after which written data is on the disk without a sync: Linux writes it after 30 s, and checks every 5 s
 * (`vm.dirty_expire_centisecs`, `vm.dirty_writeback_centisecs`).
 */
const UNSYNCED_MS_MAX = 60_000;

/**
 * Expires recent results whose file is not the recorded one. Results that clients already have are written after the
 * response and without a disk sync, so a crash or a power failure can lose or truncate their files while the records are on
 * the disk. For the start.
 *
 * @returns the number of expired results
 */
export const expireDamagedResults = async ({
  jobs,
  files,
  clock,
}: Pick<LocalContext, "jobs" | "files" | "clock">): Promise<number> => {
  let expired = 0;
  for (const { id, result } of jobs.latest(UNSYNCED_MS_MAX)) {
    const now = clock();
    if (result !== undefined && result.expiresAt > now && (await hashOf(files, result)) !== result.sha256) {
      await jobs.expireResult(id, now);
      expired += 1;
    }
  }
  return expired;
};

interface Recorded {
  readonly key: string;
  readonly bytes: number;
}

/** @returns undefined for a file that is missing or has another size */
const hashOf = async (files: LocalContext["files"], { key, bytes }: Recorded): Promise<string | undefined> => {
  if ((await files.bytesOf(key)) !== bytes) {
    return undefined;
  }
  const hash = createHash("sha256");
  for await (const chunk of (await files.read(key, 0, bytes)) ?? []) {
    hash.update(chunk);
  }
  return hash.digest("hex");
};
