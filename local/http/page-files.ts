import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { OPERATOR_FILES } from "../../functions/domain/site/operator-pages.ts";
import { PAGE, pageMediaType, type SiteSettings, servedBytes } from "../../functions/domain/site/page-files.ts";

/** Bytes of recently requested files that stay in memory. A build has 13 MB; a visitor loads less than 1 MB of it. */
const KEPT_BYTES_MAX = 2_000_000;

/** A file of the build as it is served. */
export interface PageFile {
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Of the bytes. */
  readonly hash: string;
  /** Compressed versions. */
  readonly encoded: Map<string, Promise<Buffer>>;
}

/** The files of a build, read when they are requested. */
export interface PageFiles {
  /** @returns undefined if the build does not have the file, or it is not served */
  read(path: string): Promise<PageFile | undefined>;
}

/**
 * @param folder the output folder of the build. If another build replaces it, that one is served
 * @returns undefined without a build
 */
export const pageFiles = (folder: string, settings: SiteSettings = {}): PageFiles | undefined => {
  let build = openBuild(folder);
  if (!build?.paths.has(PAGE)) {
    return undefined;
  }
  const kept = recentFiles();
  return {
    read: async (path) => {
      if (build?.id !== idOf(folder)) {
        build = openBuild(folder);
        kept.clear();
      }
      if (path.startsWith(OPERATOR_FILES)) {
        return operatorFile(path, settings);
      }
      return build?.paths.has(path) ? kept.read(path, () => readPage(folder, path, settings)) : undefined;
    },
  };
};

interface Build {
  readonly id: string | undefined;
  readonly paths: ReadonlySet<string>;
}

/** A new build is moved into place as a folder. @returns what distinguishes it from others; undefined without a folder */
const idOf = (folder: string): string | undefined => {
  const status = statSync(folder, { throwIfNoEntry: false });
  return status && `${status.ino} ${status.ctimeMs}`;
};

const openBuild = (folder: string): Build | undefined => {
  const id = idOf(folder);
  if (id === undefined) {
    return undefined;
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name))}`);
  return { id, paths: new Set(paths.map((path) => path.replaceAll("\\", "/"))) };
};

const readPage = async (folder: string, path: string, settings: SiteSettings): Promise<PageFile | undefined> => {
  const read = await readFile(join(folder, path)).catch(ignoreMissing);
  const bytes = read && servedBytes({ path, bytes: read }, settings);
  return bytes && served(path, bytes);
};

const operatorFile = (path: string, { operatorTexts = {} }: SiteSettings): PageFile | undefined => {
  const name = path.slice(OPERATOR_FILES.length);
  const text = Object.hasOwn(operatorTexts, name) ? operatorTexts[name] : undefined;
  return text === undefined ? undefined : served(path, Buffer.from(text));
};

const served = (path: string, bytes: Buffer): PageFile => ({
  path,
  mediaType: pageMediaType(path),
  bytes,
  hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 27),
  encoded: new Map(),
});

/** Another start may replace the build between two steps. */
const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT") {
    throw error;
  }
};

/** Keeps the most recently requested files, up to {@link KEPT_BYTES_MAX}. */
const recentFiles = () => {
  const files = new Map<string, PageFile>();
  let bytes = 0;
  const drop = (file: PageFile): void => {
    files.delete(file.path);
    bytes -= file.bytes.length;
  };
  const keep = (file: PageFile): void => {
    const known = files.get(file.path);
    if (known !== undefined) {
      drop(known);
    }
    files.set(file.path, file);
    bytes += file.bytes.length;
    for (const oldest of files.values()) {
      if (bytes <= KEPT_BYTES_MAX) {
        return;
      }
      drop(oldest);
    }
  };
  return {
    read: async (path: string, load: () => Promise<PageFile | undefined>): Promise<PageFile | undefined> => {
      const file = files.get(path) ?? (await load());
      if (file !== undefined) {
        keep(file);
      }
      return file;
    },
    clear: (): void => {
      files.clear();
      bytes = 0;
    },
  };
};
