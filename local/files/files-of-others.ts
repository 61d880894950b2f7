import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** Milliseconds that another process has for a file that it writes after its response, and between two looks. */
const OTHERS_MS_MAX = 2_000;
const LOOK_MS = 10;

/** Resolves when the file exists, or when no other process can be writing it any more. */
export const fileOfOthers = async (path: string): Promise<void> => {
  const end = performance.now() + OTHERS_MS_MAX;
  while (!existsSync(path) && performance.now() < end) {
    await setTimeout(LOOK_MS);
  }
};

/** Removes a missing file after the time in which another process can write it. @param onError called if it cannot be removed */
export const removeFileOfOthers = (path: string, onError: (error: unknown) => void): void => {
  setTimeout(OTHERS_MS_MAX, undefined, { ref: false })
    .then(() => rm(path, { force: true }))
    .catch(onError);
};
