import { randomUUID } from "node:crypto";
import { constants, createReadStream, existsSync, lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { opendir, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { openPlain } from "../../functions/adapters/plain-file.ts";
import { JobError } from "../../functions/domain/errors.ts";
import type { FileStore, SignedPut, Stored, StoredFile } from "../../functions/domain/file-ports.ts";
import type { Admission } from "../../functions/domain/gateway-ports.ts";
import { type Metrics, noMetrics } from "../../functions/domain/metrics.ts";
import { type PlacedFile, serveFile } from "../http/serve-file.ts";
import { type PutGrant, putSigner } from "../http/signed-puts.ts";
import { urlSigner } from "../http/signed-urls.ts";
import { takeFile } from "../http/take-file.ts";
import { SMALL_BYTES_MAX, sealFile, writeContent, writeContentSoon, writeSmallContent } from "./file-bytes.ts";
import { fileOfOthers, removeFileOfOthers } from "./files-of-others.ts";
import { type FolderParts, folderParts } from "./folder-parts.ts";
import { fileMover, type MoveFile } from "./folder-sync.ts";
import { type LateWrites, lateWrites } from "./late-writes.ts";
import { type NewFile, type NewFiles, newFiles } from "./new-files.ts";
import type { PendingSyncs } from "./pending-syncs.ts";

export interface FolderFiles extends FileStore, Pick<FolderParts, "removeAbandoned"> {
  /**
   * @param url the path and query of a request
   * @returns the file of a signed URL and its path; `invalid` when the signature is invalid
   */
  openSigned(url: string): PlacedFile | "invalid" | "expired";
  /**
   * Serves a signed URL. Resolves when the response has been sent or the client has disconnected.
   * @param url the path and query of a file that is the response to another request. @default those of the request
   */
  serveSigned(request: IncomingMessage, response: ServerResponse, url?: string): Promise<void>;
  /** All files, one after the other, with the time of their last change in milliseconds since 1970. */
  list(): AsyncIterable<{ readonly key: string; readonly changedAt: number }>;
  /** Stores a small file. */
  storeBytes(key: string, bytes: Uint8Array, when: Stored): Promise<StoredFile>;
  /** Resolves when all files have been written, and those are gone that were made in advance. */
  close(): Promise<void>;
  /** Deletes what stores left that were cut off: for the start, before anything is stored. @returns how many files */
  clearTemporary(): Promise<number>;
  /** Deletes what another process that has ended was writing. */
  clearTemporaryOf(processName: string): Promise<void>;
}

export interface FolderFilesSettings {
  /** Holds the files, under their keys. */
  readonly folder: string;
  /** Where clients reach the service, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Signs the URLs: with another one those that are out end. */
  readonly secret: Buffer;
  readonly clock: () => number;
  /** Whether there is room for a file that is put. @default there is */
  readonly room?: Admission["file"];
  /** Syncs that the store does not wait for. @default it waits for all */
  readonly pending?: PendingSyncs;
  /** Files that are made before they are needed. @default 0 */
  readonly filesInAdvance?: number;
  /** The process, in the names of files that are being written. @default the first one, which is not named */
  readonly processName?: string;
  /** Whether other processes store files in the folder, which can be requested before they are written. @default they do not */
  readonly hasOthers?: () => boolean;
  /** Called when a file cannot be written that nobody waits for. @default ignored: the file is missing */
  readonly onLateError?: (error: unknown) => void;
  /** @default nothing is counted */
  readonly metrics?: Metrics;
}

const KEY_PATTERN = /^(uploads|results)\/([A-Za-z0-9_]+(?:\/[A-Za-z0-9_]+)*)$/;

/**
 * The file store as a folder for uploads and one for results. A file is written under `tmp`, and moved when it is
 * complete and on the disk. Slashes in a key's name become hyphens, so that jobs need no folders.
 */
export const folderFiles = (settings: FolderFilesSettings): FolderFiles => {
  const { baseUrl, clock, room = () => () => {}, metrics = noMetrics } = settings;
  const { onLateError = () => {}, hasOthers = () => false } = settings;
  const [folder, signer, puts] = [resolve(settings.folder), urlSigner(settings.secret), putSigner(settings.secret)];
  const pathOf = (key: string): string => join(folder, placeOf(key));
  for (const name of ["tmp", "uploads", "results"]) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const temporary = join(folder, "tmp");
  const temporaryPath = (): string => join(temporary, `${prefixOf(settings.processName)}${randomUUID()}`);
  // Another process reads a file as soon as it exists.
  const late = lateWrites(onLateError, (path) => (hasOthers() ? temporaryPath() : path));
  const files = newFiles(temporaryPath, settings.filesInAdvance);
  const move = fileMover(["uploads", "results"].map((name) => join(folder, name)));
  const parts = folderParts(join(folder, "parts"), { temporaryPath, pathOf, move });
  const placesOf = ({ key, transfer, part }: PutGrant) => ({
    temporary: temporaryPath(),
    target: transfer === "" ? pathOf(key) : parts.partPath(transfer, Number(part)),
  });
  /** Waits for the file if it is being written. */
  const written = async (path: string): Promise<void> => {
    await late.ended(path);
    if (hasOthers()) {
      await fileOfOthers(path);
    }
  };
  const statsOf = async (key: string): Promise<Stats | undefined> => {
    await written(pathOf(key));
    return statSync(pathOf(key), { throwIfNoEntry: false });
  };
  const serve = async (request: IncomingMessage, response: ServerResponse, url?: string): Promise<void> => {
    const file = openSigned(url ?? request.url ?? "");
    await (typeof file === "string" ? undefined : written(file.path));
    await serveFile({ request, response, metrics, isResponse: url !== undefined }, file);
  };
  const grant = (given: PutGrant): SignedPut => ({ url: `${baseUrl()}${puts.sign(given)}`, headers: {} });
  const openSigned: FolderFiles["openSigned"] = (url) => {
    const file = signer.open(url, clock());
    return typeof file === "string" ? file : { ...file, path: pathOf(file.key) };
  };
  return {
    servedByGateway: true,
    ...storing({ files, pathOf, move, late, pending: settings.pending }),
    fetch: async (key) => ((await statsOf(key)) === undefined ? undefined : pathOf(key)),
    remove: async (keys) => {
      for (const path of keys.map(pathOf)) {
        await late.ended(path);
        if (hasOthers() && !existsSync(path)) {
          removeFileOfOthers(path, onLateError);
        }
        await rm(path, { force: true });
      }
    },
    read: async (key, start, end) => (await statsOf(key)) && createReadStream(pathOf(key), { start, end: end - 1 }),
    bytesOf: async (key) => (await statsOf(key))?.size,
    close: async () => {
      await late.allEnded();
      await files.close();
    },
    ...parts,
    signedPut: async (key, { bytes, sha256 = "", expiresAt }) =>
      grant({ key, bytes, sha256, transfer: "", part: "", expiresAt }),
    signedPart: async (key, { transfer, number, bytes, expiresAt }) =>
      grant({ key, bytes, sha256: "", transfer, part: String(number), expiresAt }),
    signedUrl: async (key, delivery) => `${baseUrl()}${pathOf(key) && signer.sign(key, delivery)}`,
    openSigned,
    serveSigned: (request, response, url) =>
      request.method === "PUT" && url === undefined
        ? takeFile({ request, response }, puts.open(request.url ?? "", clock()), {
            placesOf,
            move,
            room,
            metrics,
          })
        : serve(request, response, url),
    list: async function* () {
      for (const kind of ["uploads", "results"]) {
        for await (const { name } of await opendir(join(folder, kind))) {
          const stats = statSync(join(folder, kind, name), { throwIfNoEntry: false });
          yield* stats ? [{ key: `${kind}/${name.replaceAll("-", "/")}`, changedAt: stats.mtimeMs }] : [];
        }
      }
    },
    clearTemporary: () => emptyFolder(temporary),
    clearTemporaryOf: async (processName) => {
      await emptyFolder(temporary, prefixOf(processName));
    },
  };
};

/** @returns where a key lies in the folder */
const placeOf = (key: string): string => {
  const [, kind, name] = KEY_PATTERN.exec(key) ?? [];
  if (kind === undefined || name === undefined) {
    throw new TypeError(`Invalid file key: ${key}.`);
  }
  return join(kind, name.replaceAll("/", "-"));
};

interface Folders {
  /** In the folder for temporary files. */
  readonly files: NewFiles;
  readonly pathOf: (key: string) => string;
  readonly move: MoveFile;
  readonly late: LateWrites;
  readonly pending: PendingSyncs | undefined;
}

type Storing = Required<Pick<FolderFiles, "storeBytes" | "storeFile" | "storeStream" | "storeStreamSoon">>;

const storing = (folders: Folders): Storing => {
  const { files, pathOf, move } = folders;
  const storeStreamSoon: Storing["storeStreamSoon"] = async (key, stream, bytesMax) => {
    const target = pathOf(key);
    return withNewFile(files, ({ path, descriptor }) =>
      writeContentSoon(descriptor, stream, bytesMax, () => move(path, target)),
    );
  };
  const storeStream: Storing["storeStream"] = async (...content) => {
    const { file, onDisk } = await storeStreamSoon(...content);
    await onDisk;
    return file;
  };
  return { storeStream, storeStreamSoon, ...storingWhole(folders, storeStream) };
};

/** The ways to store a file that is complete. */
const storingWhole = (
  { files, pathOf, move, late, pending }: Folders,
  storeStream: Storing["storeStream"],
): Pick<Storing, "storeBytes" | "storeFile"> => ({
  storeBytes: async (key, bytes, when) => {
    const target = pathOf(key);
    if (when === "later") {
      return late.write(target, bytes);
    }
    if (when === "written" && pending !== undefined && bytes.length <= SMALL_BYTES_MAX) {
      return withNewFile(files, async ({ path, descriptor }) => {
        const stored = writeSmallContent(descriptor, bytes, pending);
        pending.add(move(path, target));
        return stored;
      });
    }
    return storeStream(key, Readable.from([bytes]), bytes.length);
  },
  storeFile: async (key, path) => {
    const target = pathOf(key);
    const { inode, ...stored } = await sealFile(path, pending);
    try {
      const moved = move(path, target);
      if (pending === undefined) {
        await moved;
      } else {
        pending.add(moved);
      }
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) {
        throw error;
      }
      // Nothing can be moved from another file system: it is copied, and the copy moved.
      await copySealed(path, stored, { files, move: (copy) => move(copy, target) });
      await rm(path);
      return stored;
    }
    if (lstatSync(target).ino !== inode) {
      await rm(target, { recursive: true, force: true });
      throw replaced();
    }
    return stored;
  },
});

interface Copying {
  readonly files: NewFiles;
  /** Moves the copy, once it is complete. */
  readonly move: (copy: string) => Promise<void>;
}

const copySealed = async (path: string, sealed: StoredFile, { files, move }: Copying): Promise<void> => {
  const content = createReadStream(path, { fd: openPlain(path, constants.O_RDONLY).descriptor });
  try {
    await withNewFile(files, async (copy) => {
      const { sha256 } = await writeContent(copy.descriptor, content, sealed.bytes, async () => {});
      if (sha256 !== sealed.sha256) {
        throw replaced();
      }
      await move(copy.path);
    });
  } finally {
    content.destroy();
  }
};

/** What an engine has left running may still write to the folder of its result. */
const replaced = (): JobError => new JobError("engine_failed", "The engine's result changed while it was stored.");

/** Gives the work a new file, which it closes, and which is gone when it failed. */
const withNewFile = async <T>(files: NewFiles, work: (file: NewFile) => Promise<T>): Promise<T> => {
  const file = await files.take();
  try {
    return await work(file);
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
};

const prefixOf = (processName: string | undefined): string => (processName === undefined ? "" : `${processName}.`);

/** @param prefix that of the names to remove. @default all */
const emptyFolder = async (folder: string, prefix = ""): Promise<number> => {
  let removed = 0;
  for await (const { name } of await opendir(folder)) {
    if (name.startsWith(prefix)) {
      await rm(join(folder, name), { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
};
