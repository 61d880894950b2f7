import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";

/** How long a test file waits for another one that creates the same result. */
const WAIT_MS_MAX = 420_000;
const PAUSE_MS = 50;

/**
 * Creates a text once for all processes of a run.
 *
 * @param path of the file that stores it
 * @returns what `make` returned, in this process or in another one
 * @throws what `make` throws, in each process that calls it
 */
export const madeOnce = (path: string, make: () => string): string => {
  const lock = `${path}.lock`;
  const end = Date.now() + WAIT_MS_MAX;
  while (!existsSync(path)) {
    if (claim(lock)) {
      try {
        keep(path, make);
      } finally {
        rmdirSync(lock);
      }
    } else if (Date.now() > end) {
      throw new Error(`${lock} was not released within ${WAIT_MS_MAX / 1_000} s.`);
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return readFileSync(path, "utf8");
};

/** No reader sees a partial file: a rename is atomic. */
const keep = (path: string, make: () => string): void => {
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, make());
    renameSync(`${path}.new`, path);
  }
};

const claim = (lock: string): boolean => {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return false;
    }
    throw error;
  }
};
