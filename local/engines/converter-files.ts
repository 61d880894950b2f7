import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The program of the converters. */
export const converterEntry = join(import.meta.dirname, "../../functions/engines/core/converter.ts");

/** The folder of the converters' temporary files. */
export const scratchFolderIn = (dataDir: string): string => join(dataDir, "scratch");

/** What converters see of the files of this machine, and what they must not see. */
export interface ConverterFiles {
  readonly converterEntry: string;
  readonly scratchFolder: string;
  /** Folders with data of the service. */
  readonly hidden: readonly string[];
}

/**
 * Removes what an earlier run has left in the scratch folder.
 *
 * @param dataDir a data directory that no other process uses
 */
export const converterFiles = (dataDir: string): ConverterFiles => {
  const scratchFolder = scratchFolderIn(dataDir);
  mkdirSync(scratchFolder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(scratchFolder)) {
    rmSync(join(scratchFolder, name), { recursive: true, force: true });
  }
  return { converterEntry, scratchFolder, hidden: [dataDir] };
};
