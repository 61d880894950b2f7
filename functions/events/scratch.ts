import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Folders for one job each at a time. */
export interface ScratchFolders {
  /** @returns the path of an empty folder */
  take(): string;
  /** Takes the folder back; what a job has left in it is deleted. */
  giveBack(folder: string): void;
}

/**
 * Keeps folders that came back empty for the next job, since to make and to remove one costs more than all other work
 * on the disk for a small picture. At once and not by the thread pool: it takes microseconds.
 */
export const scratchFolders = (root: string): ScratchFolders => {
  const empty: string[] = [];
  return {
    take: () => empty.pop() ?? mkdtempSync(join(root, "job-")),
    giveBack: (folder) => {
      if (readdirSync(folder).length === 0) {
        empty.push(folder);
        return;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
