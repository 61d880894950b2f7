import { closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { type CachedReads, cachedReads } from "./cached-reads.ts";
import { logOverwriter } from "./log-overwriter.ts";
import { migrate, numberOf } from "./migrate.ts";
import { type Statement, statementOf } from "./statements.ts";
import { BUSY_MS_MAX, outageWrites, whenFree } from "./transactions/busy-database.ts";
import { groupSync } from "./transactions/group-sync.ts";
import { explained, makePrivate } from "./transactions/open-checks.ts";
import { sharedTransactions } from "./transactions/shared-transactions.ts";
import { transactions } from "./transactions/transactions.ts";

/**
 * The database of one machine. It is synchronous, so a process never has two concurrent transactions. Work of one turn of
 * the event loop shares a transaction, except for `atOnce`.
 */
export interface Database {
  /** Prepares a statement. Do this once, when a store is created: preparing costs more than running. */
  prepare(sql: string): Statement;
  /** Keeps what was read of tables that seldom change. */
  readonly cached: CachedReads["of"];
  /**
   * Runs the work, all or nothing, and resolves when it is on the disk. Required for everything that is confirmed to
   * a client. Concurrent transactions share a disk sync. While another process locks the database, other work
   * continues.
   * @param meanwhile called when the work is committed, while it is written to the disk; awaited
   * @throws errors of the work, and SQLite's error if the database stays busy; nothing has changed in this case
   */
  durably<T>(work: () => T, meanwhile?: (result: T) => Promise<void>): Promise<T>;
  /**
   * The same without waiting for the disk. The change survives a crash of the process, but a power failure can
   * lose the latest transactions. For work that can be repeated, such as a claim.
   */
  soon<T>(work: () => T): Promise<T>;
  /**
   * The same for the outcome of finished work: during an outage, such as a full disk, the outcome is kept in memory and
   * written when the outage ends.
   */
  eventually<T>(work: () => T): Promise<T>;
  /** The same for work that nothing waits for: it shares the next transaction, within a fraction of a second. */
  later<T>(work: () => T): Promise<T>;
  /**
   * Runs the work in one transaction now, without waiting for the disk.
   * @throws errors of the work, and SQLite's error if another process locks the database
   */
  atOnce<T>(work: () => T): T;
  /** Resolves when all that was committed before the call is on the disk. */
  synced(): Promise<void>;
  /**
   * While the condition is true, durable work waits some milliseconds for other work that shares its transaction and its
   * disk sync. For a condition under which clients wait longer for something else.
   */
  shareWhile(condition: () => boolean): void;
  /** Overwrites the write-ahead log within seconds: for secrets whose record was deleted. */
  forget(): void;
  /**
   * Gives free pages of the database back to the file system, at most `pages` of those beyond `kept`.
   * @returns how many remain beyond `kept`
   */
  shrink(pages: number, kept: number): number;
  /** @returns whether outcomes wait for the end of an outage; no further work should be accepted meanwhile */
  isStalled(): boolean;
  close(): void;
}

const waitForDisk = promisify(fdatasync);

/** Milliseconds that durable work waits for other work, while {@link Database.shareWhile} applies. */
const SHARED_MS = 8;

/** Milliseconds that work waits for other work if nothing waits for it. */
const LATER_MS = 50;

export interface DatabaseSettings {
  /** @default BUSY_MS_MAX */
  readonly busyMsMax?: number;
  /**
   * Milliseconds that a transaction lets the process wait for another one, before other work continues. For several processes
   * with short transactions. @default 0
   */
  readonly blockedMsMax?: number;
  /** @default SHARED_MS */
  readonly sharedMs?: number;
  /** Resolves when the files are on the disk that records refer to; awaited before each sync. @default at once */
  readonly filesOnDisk?: () => Promise<void>;
}

/**
 * Opens `anyform.db` in the folder, and migrates its tables. Creates the folder if it does not exist. Both are readable
 * only by the owner.
 * @throws Error with the path and instructions when the database is damaged, empty, or was written by a newer version
 */
export const openDatabase = (folder: string, settings: DatabaseSettings = {}): Database => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "anyform.db");
  return explained(path, () => {
    makePrivate(path);
    const connection = new DatabaseSync(path, { timeout: settings.busyMsMax ?? BUSY_MS_MAX });
    try {
      migrate(connection, path);
      return databaseOf(connection, path, settings);
    } catch (error) {
      connection.close();
      throw error;
    }
  });
};

const databaseOf = (
  connection: DatabaseSync,
  path: string,
  { busyMsMax = BUSY_MS_MAX, sharedMs = SHARED_MS, blockedMsMax = 0, filesOnDisk = async () => {} }: DatabaseSettings,
): Database => {
  const transaction = transactions(connection);
  const cache = cachedReads(connection);
  const shared = sharedTransactions(connection, transaction);
  // From here on, this code waits instead of SQLite, which would block the entire process. Reads never wait.
  connection.exec(`PRAGMA busy_timeout = ${blockedMsMax}`);
  // A transaction shared by many changes would write pages to temporary files, which are made and deleted each time. After
  // the migration, whose temporary data can be large.
  connection.exec("PRAGMA temp_store = MEMORY");
  // In NORMAL mode, SQLite writes transactions to its log without waiting for the disk, except when it merges the log
  // into the database. The sync runs in a thread, so that other requests are served meanwhile.
  const log = openSync(`${path}-wal`, "r");
  const onDisk = groupSync(async () => {
    await filesOnDisk();
    await waitForDisk(log);
  });
  const outcomes = outageWrites();
  const forgetting = logOverwriter(connection);
  let isShared = (): boolean => false;
  return {
    prepare: (sql) => statementOf(connection, sql, cache.written),
    cached: cache.of,
    durably: async (work, meanwhile = async () => {}) => {
      const run = isShared() ? () => shared.runWithin(sharedMs, work) : () => shared.run(work);
      const result = await whenFree(run, busyMsMax);
      await Promise.all([onDisk(), meanwhile(result)]);
      return result;
    },
    soon: (work) => whenFree(() => shared.run(work), busyMsMax),
    eventually: (work) => outcomes.write(() => shared.run(work)),
    later: (work) => outcomes.write(() => shared.runWithin(LATER_MS, work)),
    atOnce: transaction,
    synced: onDisk,
    shareWhile: (condition) => {
      isShared = condition;
    },
    isStalled: () => outcomes.delayed() > 0,
    forget: forgetting.start,
    shrink: (pages, kept) => {
      const spare = () => Math.max(0, numberOf(connection, "freelist_count") - kept);
      const given = Math.min(pages, spare());
      if (given > 0) {
        connection.exec(`PRAGMA incremental_vacuum(${given})`);
      }
      return spare();
    },
    close: () => {
      shared.flush();
      forgetting.stop();
      closeSync(log);
      connection.close();
    },
  };
};
