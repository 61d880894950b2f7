import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";

/** Moves what was built into place. If another process does it at the same time, one of the two is in place. */
export const replaceFolder = async (fresh: string, built: string): Promise<void> => {
  const old = `${built}-${randomUUID()}`;
  await rename(built, old).catch(ignoreMissing);
  // If another start was faster, its build is equivalent.
  await rename(fresh, built).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") {
      throw error;
    }
  });
  await rm(old, { recursive: true, force: true });
};

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "ENOENT") {
    throw error;
  }
};
