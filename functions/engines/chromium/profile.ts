import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder that a browser keeps its files in. Nothing in it outlives the browser that it was made for. */

const PREFIX = "anyform-browser-";

/** @returns a new folder; those of converters that were killed, which could not clear up, are removed first */
export const newProfile = (): string => {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const owner = Number(name.slice(PREFIX.length).split("-")[0]);
    if (!isRunning(owner)) {
      removeProfile(join(tmpdir(), name));
    }
  }
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
};

/** A browser that is just ending may still write: what it leaves goes when the next one starts. */
export const removeProfile = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It belongs to somebody else, or is written to at this moment.
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked, and is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
