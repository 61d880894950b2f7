import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FolderLock {
  release(): void;
}

/** SQLite's result code if another connection holds the lock (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/** References to the connections: garbage collection would close them and release their locks. */
const held = new Set<DatabaseSync>();

/**
 * Locks the folder for this process until it is released or the process ends or crashes. The lock is an open
 * transaction in a separate database: SQLite can lock on every system, and the system releases the lock of a killed
 * process. A file with a process ID could be stale.
 *
 * @throws Error with instructions when another process uses the folder
 */
export const lockFolder = (folder: string): FolderLock => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(join(folder, "lock.db"), { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) {
      throw new Error(
        `Another Anyform process already uses the directory ${folder}. Stop it, or set DATA_DIR to another directory.`,
        { cause: error },
      );
    }
    throw error;
  }
  held.add(connection);
  return {
    release: () => {
      held.delete(connection);
      connection.close();
    },
  };
};
