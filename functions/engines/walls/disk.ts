import { statfsSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import { SCRATCH_BYTES_MAX, SCRATCH_FILES_MAX, SCRATCH_SHARE_MAX } from "./limits.ts";

/** What a conversion may have on the disk while it runs. */
export interface DiskLimits {
  readonly bytesMax: number;
  readonly filesMax: number;
}

/** Milliseconds from the start of a conversion to the first look: most have ended by then. */
const LOOK_MS_MIN = 250;
/** How many times as long as a look took the next one waits, so that looking is a few percent of a processor. */
const LOOK_PAUSE_FACTOR = 20;

/** What a file system counts the space of a file in (stat(2), `st_blocks`). */
const BLOCK_BYTES = 512;

/** @returns what a conversion on this disk may have */
export const diskLimits = (folder: string): DiskLimits => {
  const { bsize, blocks } = statfsSync(folder);
  return { bytesMax: Math.min(SCRATCH_BYTES_MAX, SCRATCH_SHARE_MAX * bsize * blocks), filesMax: SCRATCH_FILES_MAX };
};

/**
 * Looks again and again at what lies in the folders, which somebody else writes to.
 *
 * @param over called once, with `output_too_large` when it is more than the limits
 * @returns a function that ends the watch
 */
export const watchDisk = (
  folders: readonly string[],
  limits: DiskLimits,
  over: (error: unknown) => void,
): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    const started = performance.now();
    const error = await excess(folders, limits);
    if (ended) {
      return;
    }
    if (error !== undefined) {
      over(error);
      return;
    }
    wait(Math.max(LOOK_MS_MIN, LOOK_PAUSE_FACTOR * (performance.now() - started)));
  };
  const wait = (milliseconds: number): void => {
    timer = setTimeout(() => look().catch(over), milliseconds);
  };
  wait(LOOK_MS_MIN);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
};

/** @returns why there is too much in the folders; undefined when there is not. It does not look further than that. */
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

/** What is removed, or closed to us, while we look is not there. */
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

/** What it takes on the disk: a file with holes takes less than it is long. */
const bytesOf = async (path: string): Promise<number> => {
  const stats = await lstat(path).catch(() => undefined);
  return BLOCK_BYTES * (stats?.blocks ?? 0);
};
