import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync, rmSync } from "node:fs";
import { type FileHandle, open, opendir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { syncFolder } from "../files/folder-sync.ts";
import { copyDatabase } from "../sqlite/migrate.ts";
import { BackupError } from "./backup-error.ts";

export interface BackupSummary {
  readonly files: number;
  readonly bytes: number;
}

/** Milliseconds that the copy of the database waits for a lock. */
const BUSY_MS_MAX = 30_000;

/**
 * Writes the data directory to a new tar file that only the owner can read, also while the service runs. The database is
 * copied first: files are stored before their records, so those of every record are included. The tar appears under its
 * name when it is complete and on the disk.
 *
 * @throws BackupError if there is no database, or the file exists
 */
export const writeBackup = async (dataDir: string, target: string): Promise<BackupSummary> => {
  const database = join(dataDir, "anyform.db");
  if (!existsSync(database)) {
    throw new BackupError(`${dataDir} has no database. Set DATA_DIR to the directory of the service.`);
  }
  if (existsSync(target)) {
    throw new BackupError(`${target} exists. Choose another name.`);
  }
  const [copy, partial] = [join(dataDir, `.backup-${randomUUID()}.db`), `${target}.${randomUUID()}.partial`];
  try {
    copyOf(database, copy);
    const summary = await writeTar(partial, () => entriesOf(dataDir, copy));
    await rename(partial, target);
    await syncFolder(dirname(target));
    return summary;
  } finally {
    rmSync(copy, { force: true });
    await rm(partial, { force: true });
  }
};

const copyOf = (database: string, copy: string): void => {
  const connection = new DatabaseSync(database, { timeout: BUSY_MS_MAX, readOnly: true });
  try {
    copyDatabase(connection, copy);
  } finally {
    connection.close();
  }
};

interface Entry {
  readonly name: string;
  readonly path: string;
}

const entriesOf = async function* (dataDir: string, copy: string): AsyncGenerator<Entry> {
  yield { name: "anyform.db", path: copy };
  for (const name of ["url-secret", "storage-secret", "api-key"]) {
    yield { name, path: join(dataDir, name) };
  }
  for (const kind of ["uploads", "results"]) {
    yield* filesIn(dataDir, `files/${kind}`);
  }
  for (const transfer of await readdir(join(dataDir, "files/parts"))) {
    yield* filesIn(dataDir, `files/parts/${transfer}`);
  }
};

const filesIn = async function* (dataDir: string, folder: string): AsyncGenerator<Entry> {
  for await (const entry of await opendir(join(dataDir, folder))) {
    yield* entry.isFile() ? [{ name: `${folder}/${entry.name}`, path: join(dataDir, folder, entry.name) }] : [];
  }
};

const writeTar = async (path: string, entries: () => AsyncIterable<Entry>): Promise<BackupSummary> => {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  const added = addAll(tar, entries()).catch((error: Error) => {
    tar.destroy(error);
    throw error;
  });
  const [summary] = await Promise.all([added, written]);
  return summary;
};

const addAll = async (tar: Pack, entries: AsyncIterable<Entry>): Promise<BackupSummary> => {
  let [files, bytes] = [0, 0];
  for await (const { name, path } of entries) {
    const file = await openIfThere(path);
    if (file === undefined) {
      continue;
    }
    try {
      bytes += await addFile(tar, name, file);
      files += 1;
    } finally {
      await file.close();
    }
  }
  tar.finalize();
  return { files, bytes };
};

/** A file can expire and be deleted between listing and opening. */
const openIfThere = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
};

/** @returns the bytes of the file */
const addFile = async (tar: Pack, name: string, file: FileHandle): Promise<number> => {
  const { size, mtime } = await file.stat();
  const header = { name, size, mtime, mode: 0o600 };
  if (size === 0) {
    tar.entry(header, "");
  } else {
    await pipeline(file.createReadStream({ autoClose: false, start: 0, end: size - 1 }), tar.entry(header));
  }
  return size;
};
