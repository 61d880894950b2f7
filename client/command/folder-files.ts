import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { UsageError } from "./exit.ts";

/** Files per folder, including its subfolders. */
const FOLDER_FILES_MAX = 100_000;
/** Levels of subfolders. */
const DEPTH_MAX = 64;

export interface FolderFilter {
  /** Whether a file with this name is listed. */
  isWanted(name: string): boolean;
  /** A folder that is left out, such as the one for the results. */
  readonly without?: string | undefined;
}

/**
 * @returns the files in the folder and its subfolders, relative to it and sorted. Hidden files, lock files of office
 * programs and symbolic links are left out.
 * @throws UsageError for a folder with too many files
 */
export const filesIn = async (folder: string, filter: FolderFilter): Promise<string[]> => {
  const found: string[] = [];
  const waiting = [{ path: "", depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const entry of await entriesIn(folder, next.path)) {
      const path = join(next.path, entry.name);
      if (entry.name.startsWith(".") || entry.name.startsWith("~$")) {
        continue;
      }
      if (entry.isDirectory() && next.depth < DEPTH_MAX && !isWithin(filter.without, join(folder, path))) {
        waiting.push({ path, depth: next.depth + 1 });
      }
      if (entry.isFile() && filter.isWanted(entry.name)) {
        found.push(path);
      }
    }
    if (found.length > FOLDER_FILES_MAX || waiting.length > FOLDER_FILES_MAX) {
      throw new UsageError(`${folder} has more than ${FOLDER_FILES_MAX} files. Convert its subfolders separately.`);
    }
  }
  return found.sort(inOrder.compare);
};

/** A subfolder may be deleted while the others are read. */
const entriesIn = async (folder: string, path: string): Promise<Iterable<Dirent> | AsyncIterable<Dirent>> => {
  try {
    return await opendir(join(folder, path));
  } catch (error) {
    if (path !== "" && error instanceof Error && "code" in error && error.code === "ENOENT") {
      return [];
    }
    throw error;
  }
};

/** `page 2` comes before `page 10`. */
const inOrder = new Intl.Collator("en", { numeric: true });

/** @returns whether the path is the folder or in it; false without a folder */
export const isWithin = (folder: string | undefined, path: string): boolean => {
  if (folder === undefined) {
    return false;
  }
  const way = relative(resolve(folder), resolve(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
};
