import { statfsSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { SCRATCH_BYTES_MAX, SCRATCH_FILES_MAX, SCRATCH_SHARE_MAX } from "./limits.ts";

/** Disk limits of a running conversion. */
export interface DiskLimits {
  readonly bytesMax: number;
  readonly filesMax: number;
}

/** Milliseconds before the first check: most conversions have ended by then. */
const CHECK_MS_MIN = 250;
/** Pause between two checks, as a multiple of the duration of a check, so that checks use a few percent of a core. */
const CHECK_PAUSE_FACTOR = 20;

/** Unit of a file's disk usage (stat(2), `st_blocks`). */
const BLOCK_BYTES = 512;

/** @returns the limits for a conversion on this disk */
export const diskLimits = (folder: string): DiskLimits => {
  const { bsize, blocks } = statfsSync(folder);
  return { bytesMax: Math.min(SCRATCH_BYTES_MAX, SCRATCH_SHARE_MAX * bsize * blocks), filesMax: SCRATCH_FILES_MAX };
};

/**
 * Repeatedly checks the contents of folders that another process writes to.
 *
 * @param over called once, with `output_too_large` when the contents exceed the limits
 * @returns a function that stops the checks
 */
export const watchDisk = (
  folders: readonly string[],
  limits: DiskLimits,
  over: (error: unknown) => void,
): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const check = async (): Promise<void> => {
    const started = performance.now();
    const error = await excess(folders, limits);
    if (ended) {
      return;
    }
    if (error !== undefined) {
      over(error);
      return;
    }
    wait(Math.max(CHECK_MS_MIN, CHECK_PAUSE_FACTOR * (performance.now() - started)));
  };
  const wait = (milliseconds: number): void => {
    timer = setTimeout(() => check().catch(over), milliseconds);
  };
  wait(CHECK_MS_MIN);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
};

/** @returns the error when the contents exceed the limits, else undefined. Stops counting at the first excess. */
const excess = async (
  folders: readonly string[],
  { bytesMax, filesMax }: DiskLimits,
): Promise<JobError | undefined> => {
  let [bytes, files] = [0, 0];
  const ahead = [...folders];
  for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
    for await (const entry of entriesOf(folder)) {
      files += 1;
      bytes += entry.isFile ? await bytesOf(entry.path) : 0;
      if (entry.isFolder) {
        ahead.push(entry.path);
      }
      if (files > filesMax || bytes > bytesMax) {
        const what = files > filesMax ? `${filesMax} files` : `${bytesMax} bytes`;
        return new JobError("output_too_large", `The conversion wrote over ${what} to the disk.`);
      }
    }
  }
  return undefined;
};

/** Ignores entries that are removed or become unreadable during the check. */
async function* entriesOf(folder: string) {
  try {
    for await (const entry of await opendir(folder)) {
      yield { path: join(folder, entry.name), isFile: entry.isFile(), isFolder: entry.isDirectory() };
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) {
      throw error;
    }
  }
}

/** Disk usage of a file: a sparse file uses less than its length. */
const bytesOf = async (path: string): Promise<number> => {
  const stats = await lstat(path).catch(() => undefined);
  return BLOCK_BYTES * (stats?.blocks ?? 0);
};
