import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The profile directory of a browser. Nothing in it outlives its browser. */

const PREFIX = "anyform-browser-";

/** @returns a new directory; directories left by killed converters are removed first */
export const newProfile = (): string => {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const owner = Number(name.slice(PREFIX.length).split("-")[0]);
    if (!isRunning(owner)) {
      removeProfile(join(tmpdir(), name));
    }
  }
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
};

/** A browser that is shutting down may still write; leftover files are removed when the next one starts. */
export const removeProfile = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It belongs to another user, or is being written at this moment.
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signaled, but it exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
