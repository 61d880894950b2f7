import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync, statSync } from "node:fs";
import { opendir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileStore, StoredPart } from "../../functions/domain/file-ports.ts";
import { writeNewFile } from "./file-bytes.ts";
import { type MoveFile, syncFolder } from "./folder-sync.ts";

/** Transfers in parts: each is a folder, in which complete parts are named by their number. */
export interface FolderParts extends Pick<FileStore, "beginParts" | "partsOf" | "joinParts" | "abortParts"> {
  /** @returns the path of a part */
  partPath(transfer: string, number: number): string;
  /** Deletes transfers that were last changed before this time. @returns the number of deleted transfers */
  removeAbandoned(before: number): Promise<number>;
}

const TRANSFER_PATTERN = /^[0-9a-f-]{36}$/;
const PART_PATTERN = /^\d{1,5}$/;
const READ_BYTES = 262_144;

/** @param paths `temporaryPath` returns a new path on the same file system, and `pathOf` returns the path of a key */
export const folderParts = (
  folder: string,
  { temporaryPath, pathOf, move }: { temporaryPath: () => string; pathOf: (key: string) => string; move: MoveFile },
): FolderParts => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const folderOf = (transfer: string): string => {
    if (!TRANSFER_PATTERN.test(transfer)) {
      throw new TypeError(`${transfer} is not a transfer ID.`);
    }
    return join(folder, transfer);
  };
  const abort = (transfer: string) => rm(folderOf(transfer), { recursive: true, force: true });
  return {
    beginParts: async () => {
      const transfer = randomUUID();
      mkdirSync(folderOf(transfer), { mode: 0o700 });
      await syncFolder(folder);
      return transfer;
    },
    partPath: (transfer, number) => join(folderOf(transfer), String(number)),
    partsOf: async (_, transfer) =>
      statSync(folderOf(transfer), { throwIfNoEntry: false }) === undefined ? undefined : partsIn(folderOf(transfer)),
    joinParts: async (key, transfer, parts) => {
      const path = temporaryPath();
      try {
        // Parts are copied, although this temporarily takes twice the space: as long as all parts exist, an interrupted
        // join can be repeated.
        const paths = parts.map(({ number }) => join(folderOf(transfer), String(number)));
        const stored = await writeNewFile(path, contentOf(paths), Number.POSITIVE_INFINITY);
        await move(path, pathOf(key));
        await abort(transfer);
        return stored;
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    abortParts: (_, transfer) => abort(transfer),
    removeAbandoned: async (before) => {
      let removed = 0;
      for await (const { name } of await opendir(folder)) {
        const changedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? before;
        if (TRANSFER_PATTERN.test(name) && changedAt < before) {
          await abort(name);
          removed += 1;
        }
      }
      return removed;
    },
  };
};

const contentOf = async function* (paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    yield* createReadStream(path, { highWaterMark: READ_BYTES });
  }
};

const partsIn = async (folder: string): Promise<StoredPart[]> => {
  const parts: StoredPart[] = [];
  for await (const { name } of await opendir(folder)) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats !== undefined && PART_PATTERN.test(name)) {
      parts.push({
        number: Number(name),
        bytes: stats.size,
        etag: `"${stats.ino.toString(36)}-${Math.floor(stats.mtimeMs).toString(36)}"`,
      });
    }
  }
  return parts.sort((one, other) => one.number - other.number);
};
