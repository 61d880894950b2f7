import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

/** Folders that are used by one job at a time. */
export interface ScratchFolders {
  /** @returns the path of an empty folder */
  take(): string;
  /** Returns the folder; remaining files of the job are deleted. */
  release(folder: string): Promise<void>;
}

/**
 * Reuses empty folders for the next job, because creating and removing one costs more than all other disk operations
 * for a small image. The check takes microseconds; non-empty folders are removed asynchronously.
 */
export const scratchFolders = (root: string): ScratchFolders => {
  const empty: string[] = [];
  return {
    take: () => empty.pop() ?? mkdtempSync(join(root, "job-")),
    release: async (folder) => {
      if (readdirSync(folder).length === 0) {
        empty.push(folder);
        return;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
};
