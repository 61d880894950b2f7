import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A source of something that is built at the start. */
export interface SourceFile {
  /** From the project's folder. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** A folder with sources, in which others can be, and the end of their names. */
export type SourceFolder = readonly [folder: string, ends: string];

/**
 * @param root the project's folder
 * @param folders those that do not exist have no sources
 * @returns the sources, and the file with the versions of packages, by path. Reading folders takes half the time of patterns
 */
export const sourceFiles = (root: string, folders: readonly SourceFolder[]): readonly SourceFile[] =>
  ["package-lock.json", ...folders.flatMap((folder) => namesIn(root, folder)).sort()].flatMap(
    (path) => sourceFile(root, path) ?? [],
  );

/** @param path from the project's folder. @returns undefined if it is not a file */
export const sourceFile = (root: string, path: string): SourceFile | undefined => {
  const status = statSync(join(root, path), { throwIfNoEntry: false });
  return status?.isFile() ? { path, size: status.size, mtimeMs: status.mtimeMs } : undefined;
};

const namesIn = (root: string, [folder, ends]: SourceFolder): readonly string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(ends))
        .map((name) => join(folder, name))
    : [];
