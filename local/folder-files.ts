import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { access, mkdir, opendir, rename, rm, rmdir, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join, relative, resolve } from "node:path";
import type { FileStore } from "../functions/domain/ports.ts";
import { copyFile, sealFile, writeNewFile } from "./file-bytes.ts";
import { serveFile } from "./serve-file.ts";
import { type SignedFile, urlSigner } from "./signed-urls.ts";

export interface FolderFiles extends FileStore {
  /**
   * @param url the path and query of a request
   * @returns what a signed URL stands for and where that lies; `invalid` when we did not sign it
   */
  openSigned(url: string): (SignedFile & { readonly path: string }) | "invalid" | "expired";
  /** Answers a request for a signed URL. Resolves when the answer is out, or its client is gone. */
  serveSigned(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** All files, one after the other, with the time of their last change in milliseconds since 1970. */
  list(): AsyncIterable<{ readonly key: string; readonly changedAt: number }>;
  /** Deletes what stores left that were cut off: for the start, before anything is stored. @returns how many files */
  clearTemporary(): Promise<number>;
}

export interface FolderFilesSettings {
  /** Holds the files, under their keys. */
  readonly folder: string;
  /** Where clients reach the service, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Signs the URLs: with another one those that are out end. */
  readonly secret: Buffer;
  readonly clock: () => number;
}

const KEY_PATTERN = /^(?:uploads|results)(?:\/[A-Za-z0-9_]+)+$/;

/** The file store as a folder. A file is written under `tmp`, and moved to its key when it is whole and on the disk. */
export const folderFiles = (settings: FolderFilesSettings): FolderFiles => {
  const { baseUrl, clock } = settings;
  const [folder, signer] = [resolve(settings.folder), urlSigner(settings.secret)];
  const pathOf = (key: string): string => {
    if (!KEY_PATTERN.test(key)) {
      throw new TypeError(`${key} is no key of a file.`);
    }
    return join(folder, key);
  };
  for (const name of ["tmp", "uploads", "results"]) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  return {
    ...storing(join(folder, "tmp"), pathOf),
    fetch: async (key) => unlessMissing(access(pathOf(key)).then(() => pathOf(key))),
    remove: async (keys) => {
      for (const key of keys) {
        await removeFile(pathOf(key), folder);
      }
    },
    signedUrl: async (key, delivery) => `${baseUrl()}${pathOf(key) && signer.sign(key, delivery)}`,
    openSigned: (url) => {
      const file = signer.open(url, clock());
      return typeof file === "string" ? file : { ...file, path: pathOf(file.key) };
    },
    serveSigned: (request, response) =>
      serveFile({ request, response, baseUrl: baseUrl() }, folder, signer.open(request.url ?? "", clock())),
    list: async function* () {
      for (const name of ["uploads", "results"]) {
        for await (const path of filesBelow(join(folder, name))) {
          const stats = await unlessMissing(stat(path));
          yield* stats ? [{ key: relative(folder, path), changedAt: stats.mtimeMs }] : [];
        }
      }
    },
    clearTemporary: () => emptyFolder(join(folder, "tmp")),
  };
};

const storing = (temporary: string, pathOf: (key: string) => string): Pick<FileStore, "storeStream" | "storeFile"> => ({
  storeStream: (key, stream, bytesMax) => {
    const target = pathOf(key);
    return withTemporary(temporary, async (path) => {
      const stored = await writeNewFile(path, stream, bytesMax);
      await moveTo(target, path);
      return stored;
    });
  },
  storeFile: async (key, path) => {
    const target = pathOf(key);
    const stored = await sealFile(path);
    try {
      await moveTo(target, path);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") {
        throw error;
      }
      // Nothing can be moved from another file system: it is copied, and the copy moved.
      await withTemporary(temporary, async (copy) => {
        await copyFile(path, copy);
        await moveTo(target, copy);
      });
      await rm(path);
    }
    return stored;
  },
});

/** Gives the work a path for a file that is gone when the work failed. */
const withTemporary = async <T>(folder: string, work: (path: string) => Promise<T>): Promise<T> => {
  const path = join(folder, randomUUID());
  try {
    return await work(path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

/** A job's folder is made when its first result comes, and may go with its last one at the same moment. */
const moveTo = async (target: string, path: string): Promise<void> => {
  if ((await unlessMissing(rename(path, target).then(() => true))) === undefined) {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
  }
};

/** Removes a file, and the folder of its job when that is empty then. */
const removeFile = async (path: string, folder: string): Promise<void> => {
  await rm(path, { force: true });
  const parent = dirname(path);
  if (dirname(parent) === folder) {
    return;
  }
  try {
    await rmdir(parent);
  } catch (error) {
    if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "ENOENT") {
      throw error;
    }
  }
};

const emptyFolder = async (folder: string): Promise<number> => {
  let removed = 0;
  for await (const entry of await opendir(folder)) {
    await rm(join(folder, entry.name), { recursive: true, force: true });
    removed += 1;
  }
  return removed;
};

/** Reads folder by folder, never a whole list. Keys are not deep, so neither is this. */
const filesBelow = async function* (folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    yield* entry.isDirectory() ? filesBelow(path) : [path];
  }
};

const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      return undefined;
    }
    throw error;
  }
};

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
