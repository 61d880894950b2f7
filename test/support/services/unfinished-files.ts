import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** @returns the names of files that have content and are not stored yet; those made in advance are empty */
export const unfinishedFiles = (dataDir: string): string[] => {
  const folder = join(dataDir, "files/tmp");
  return readdirSync(folder).filter((name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0);
};
