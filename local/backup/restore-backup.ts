import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { lockFolder } from "../files/folder-lock.ts";
import { syncFolder } from "../files/folder-sync.ts";
import { numberOf } from "../sqlite/migrate.ts";
import { schemaSteps } from "../sqlite/schema.ts";
import { BackupError } from "./backup-error.ts";
import type { BackupSummary } from "./write-backup.ts";

export interface RestoreSummary extends BackupSummary {
  /** Where the previous data is now. Undefined: there was none. */
  readonly previous?: string;
}

export interface RestoreSettings {
  /** Whether existing data is moved to a folder inside the directory; otherwise it is an error. */
  readonly replace: boolean;
  readonly clock: () => number;
}

/**
 * Restores a backup into the data directory of a service that is stopped. Nothing changes until the backup has been read
 * completely and its database has been checked.
 *
 * @throws BackupError for a file that is not a backup, or when there is data and `replace` is false
 * @throws Error with instructions while the service runs
 */
export const restoreBackup = async (
  source: string,
  dataDir: string,
  { replace, clock }: RestoreSettings,
): Promise<RestoreSummary> => {
  const lock = lockFolder(dataDir);
  const incoming = join(dataDir, "restoring");
  try {
    const present = (await readdir(dataDir)).filter((name) => !KEPT.test(name));
    if (present.includes("anyform.db") && !replace) {
      throw new BackupError(
        `${dataDir} already contains data. Add --replace to move it to a new folder, or set DATA_DIR to another directory.`,
      );
    }
    await rm(incoming, { recursive: true, force: true });
    const summary = await unpack(source, incoming);
    check(join(incoming, "anyform.db"), source);
    const previous = join(dataDir, `before-restore-${new Date(clock()).toISOString().replaceAll(":", "-")}`);
    await moveAll(dataDir, previous, present);
    await moveAll(incoming, dataDir, (await readdir(incoming)).sort(databaseLast));
    await rm(incoming, { recursive: true });
    await syncFolder(dataDir);
    return { ...summary, ...(present.length > 0 && { previous }) };
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
};

/** The lock of this process, and the results of earlier restores. */
const KEPT = /^(?:lock\.db.*|restoring|before-restore-.*)$/;

/** A start after an interrupted restore finds no database, or a complete installation. */
const databaseLast = (one: string, other: string): number =>
  Number(one === "anyform.db") - Number(other === "anyform.db");

const moveAll = async (from: string, to: string, names: readonly string[]): Promise<void> => {
  if (names.length > 0) {
    await mkdir(to, { recursive: true, mode: 0o700 });
  }
  for (const name of names) {
    await rename(join(from, name), join(to, name));
  }
};

/** What a backup contains. Other names, and links, are rejected. */
const NAMES =
  /^(?:anyform\.db|url-secret|storage-secret|api-key|files\/(?:uploads|results|parts\/[0-9a-f-]{36})\/[\w-]+)$/;

const unpack = async (source: string, folder: string): Promise<BackupSummary> => {
  let [files, bytes] = [0, 0];
  mkdirSync(folder, { mode: 0o700 });
  const tar = extract();
  const read = pipeline(createReadStream(source), tar);
  const written = async (): Promise<void> => {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      if (type !== "file" || !NAMES.test(name)) {
        throw new BackupError(`${source} is not a backup of Anyform: it contains ${name}.`);
      }
      await writeEntry(entry, join(folder, name));
      [files, bytes] = [files + 1, bytes + size];
    }
  };
  try {
    await Promise.all([read, written()]);
  } catch (error) {
    tar.destroy();
    await read.catch(() => {});
    throw explained(error, source);
  }
  return { files, bytes };
};

const writeEntry = async (content: AsyncIterable<unknown>, path: string): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
};

/** Errors of the system have a code in capitals; errors of tar-stream have none. */
const explained = (error: unknown, source: string): unknown =>
  error instanceof BackupError || (error instanceof Error && "code" in error && /^E[A-Z]+$/.test(String(error.code)))
    ? error
    : new BackupError(`${source} is not a complete backup of Anyform.`, { cause: error });

/** @throws BackupError if the database is damaged, or newer than this release */
const check = (path: string, source: string): void => {
  try {
    const connection = new DatabaseSync(path, { readOnly: true });
    const result = connection.prepare("PRAGMA integrity_check").get()?.integrity_check;
    const version = numberOf(connection, "user_version");
    connection.close();
    if (version > schemaSteps.length) {
      throw new BackupError(`${source} was written by a newer release of Anyform. Install that release.`);
    }
    if (result === "ok" && version > 0) {
      return;
    }
  } catch (error) {
    if (error instanceof BackupError) {
      throw error;
    }
  }
  throw new BackupError(`${source} contains no intact database.`);
};
