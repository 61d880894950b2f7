import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The program of the converters. */
export const converterEntry = join(import.meta.dirname, "../../functions/engines/core/converter.ts");

/** The folder of the converters' temporary files. @param name a folder in it. @default the folder itself */
export const scratchFolderIn = (dataDir: string, name = ""): string => join(dataDir, "scratch", name);

/** What converters see of the files of this machine, and what they must not see. */
export interface ConverterFiles {
  readonly converterEntry: string;
  readonly scratchFolder: string;
  /** Folders with data of the service. */
  readonly hidden: readonly string[];
}

/** @returns the files of the converters of a process, which has this folder for their temporary files */
export const converterFilesIn = (dataDir: string, name?: string): ConverterFiles => {
  const scratchFolder = scratchFolderIn(dataDir, name);
  mkdirSync(scratchFolder, { recursive: true, mode: 0o700 });
  return { converterEntry, scratchFolder, hidden: [dataDir] };
};

/**
 * Removes what an earlier run has left in the scratch folder.
 *
 * @param dataDir a data directory that no other process uses
 */
export const converterFiles = (dataDir: string): ConverterFiles => {
  const files = converterFilesIn(dataDir);
  for (const name of readdirSync(files.scratchFolder)) {
    rmSync(join(files.scratchFolder, name), { recursive: true, force: true });
  }
  return files;
};
