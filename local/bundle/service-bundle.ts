import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../files/package-folder.ts";
import { type SourceFile, sourceFile } from "../files/source-files.ts";
import { inBackground } from "../in-background.ts";

/**
 * The service as some files in place of 800: finding and linking that many modules is half of a start. They are written in
 * the background after a start, and used until a source or the version of a package changes.
 */

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(import.meta.dirname, "bundle-service.ts");

/** The folder of the bundle. */
const BUNDLE = join(ROOT, "dist/service");

/** The file in the bundle that starts the service: `local/main.ts`. */
const START = "main.mjs";

/** The file in the bundle with its {@link BundleSources}. */
export const SOURCES = "sources.json";

/** What a bundle was made of. */
export interface BundleSources {
  /** The project's folder. The bundle contains its path. */
  readonly root: string;
  readonly sources: readonly SourceFile[];
}

/**
 * @param folder that of a bundle
 * @returns the path of its start; undefined without a bundle, or if a source has changed since
 */
export const bundledStart = (folder = BUNDLE): string | undefined => {
  const written = readSources(folder);
  return written?.root === ROOT && written.sources.every(isUnchanged) ? join(folder, START) : undefined;
};

const readSources = (folder: string): BundleSources | undefined => {
  const path = join(folder, SOURCES);
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch {
    // If the file is damaged, the service starts from the sources, and the next bundle replaces it.
    return undefined;
  }
};

const isUnchanged = ({ path, size, mtimeMs }: SourceFile): boolean => {
  const now = sourceFile(ROOT, path);
  return now?.size === size && now.mtimeMs === mtimeMs;
};

/**
 * Writes the bundle at the lowest priority, unless it is up to date, or the bundler is not installed, as in the image.
 *
 * @returns whether it was written
 */
export const bundleService = async (folder = BUNDLE): Promise<boolean> => {
  if (bundledStart(folder) !== undefined || packageFolder("esbuild") === undefined) {
    return false;
  }
  await inBackground([PROGRAM, folder]);
  return true;
};
