import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface FolderLock {
  release(): void;
}

/** SQLite's result code for a lock that another connection has (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/** A connection that nobody holds is closed when memory is collected, and its lock with it: so these are held here. */
const held = new Set<DatabaseSync>();

/**
 * Takes the folder for this process alone, until it is released or the process ends, however it ends. The lock is an
 * open transaction in a database of its own: SQLite knows how to lock on every system, and the system lets go of the
 * lock of a process that was killed. A file with a process id would have to be believed or not.
 *
 * @throws Error that tells a person what to do when another process has the folder
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
        `Another anyform already runs on the folder ${folder}: stop it, or set DATA_DIR to another folder.`,
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
