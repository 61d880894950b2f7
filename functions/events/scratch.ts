import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

/** Folders for one job each at a time. */
export interface ScratchFolders {
  /** @returns the path of an empty folder */
  take(): string;
  /** Takes the folder back; what a job has left in it is deleted. */
  giveBack(folder: string): Promise<void>;
}

/**
 * Keeps folders that came back empty for the next job, since to make and to remove one costs more than all other work
 * on the disk for a small picture. Looking takes microseconds; what is not empty is removed beside the event loop.
 */
export const scratchFolders = (root: string): ScratchFolders => {
  const empty: string[] = [];
  return {
    take: () => empty.pop() ?? mkdtempSync(join(root, "job-")),
    giveBack: async (folder) => {
      if (readdirSync(folder).length === 0) {
        empty.push(folder);
        return;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
};
