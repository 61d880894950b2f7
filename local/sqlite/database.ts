import { closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { BUSY_MS_MAX, whenFree, whenFreeSync } from "./busy-database.ts";
import { groupSync } from "./group-sync.ts";
import { schemaSteps } from "./schema.ts";

/** The database of one machine. It is synchronous, so a process never has two concurrent transactions. */
export interface Database {
  /** Prepares a statement. Do this once, when a store is created: preparing costs more than running. */
  prepare(sql: string): StatementSync;
  /**
   * Runs the work in one transaction, and resolves when it is on the disk. Required for everything that is confirmed to
   * a client. Concurrent transactions share a disk sync. While another process locks the database, other work
   * continues.
   * @throws errors of the work, and SQLite's error if the database stays busy; nothing has changed in this case
   */
  durably<T>(work: () => T): Promise<T>;
  /**
   * The same without waiting for the disk. The transaction survives a crash of the process, but a power failure can
   * lose the latest transactions. For work that can be repeated, such as a claim or a delivery.
   */
  lightly<T>(work: () => T): T;
  /** The same for requests: while another process locks the database, other work continues. */
  soon<T>(work: () => T): Promise<T>;
  close(): void;
}

const waitForDisk = promisify(fdatasync);

/** Maximum size of the log file in bytes after it was merged into the database. */
const LOG_BYTES_MAX = 64_000_000;

/**
 * Opens `anyform.db` in the folder, and migrates its tables. Creates the folder if it does not exist.
 * @throws Error with instructions when the database was written by a newer version
 */
export const openDatabase = (folder: string, busyMsMax = BUSY_MS_MAX): Database => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "anyform.db");
  const connection = new DatabaseSync(path, { timeout: busyMsMax });
  try {
    connection.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${LOG_BYTES_MAX};
    `);
    return databaseOf(connection, path, busyMsMax);
  } catch (error) {
    connection.close();
    throw error;
  }
};

const databaseOf = (connection: DatabaseSync, path: string, busyMsMax: number): Database => {
  const transaction = transactions(connection);
  transaction(() => migrate(connection));
  // From here on, this code waits instead of SQLite, which would block the entire process. Reads never wait.
  connection.exec("PRAGMA busy_timeout = 0");
  // In NORMAL mode, SQLite writes transactions to its log without waiting for the disk, except when it merges the log
  // into the database. The sync runs in a thread, so that other requests are served meanwhile.
  const log = openSync(`${path}-wal`, "r");
  const onDisk = groupSync(() => waitForDisk(log));
  return {
    prepare: (sql) => connection.prepare(sql),
    durably: async (work) => {
      const result = await whenFree(() => transaction(work), busyMsMax);
      await onDisk();
      return result;
    },
    soon: (work) => whenFree(() => transaction(work), busyMsMax),
    lightly: (work) => whenFreeSync(() => transaction(work), busyMsMax),
    close: () => {
      closeSync(log);
      connection.close();
    },
  };
};

/** @returns a function that runs work in a separate transaction */
const transactions = (connection: DatabaseSync): Database["lightly"] => {
  const [begin, commit, rollback] = [
    connection.prepare("BEGIN IMMEDIATE"),
    connection.prepare("COMMIT"),
    connection.prepare("ROLLBACK"),
  ];
  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (connection.isTransaction) {
        rollback.run();
      }
      throw error;
    }
  };
};

const migrate = (connection: DatabaseSync): void => {
  const version = Number(connection.prepare("PRAGMA user_version").get()?.user_version);
  if (version > schemaSteps.length) {
    throw new Error(
      `The database has version ${version}, and this release of anyform knows versions up to ${schemaSteps.length}: ` +
        "start the newer release, or set DATA_DIR to another folder.",
    );
  }
  for (const [index, step] of schemaSteps.entries()) {
    if (index >= version) {
      connection.exec(`${step}; PRAGMA user_version = ${index + 1}`);
    }
  }
};
