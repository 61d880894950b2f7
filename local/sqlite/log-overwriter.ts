import type { DatabaseSync } from "node:sqlite";

/** Milliseconds between the deletion of a secret and the overwriting of the log: many deletions share one. */
const DELAY_MS = 5_000;

/** Overwrites the write-ahead log after the deletion of a secret, whose earlier version it still contains. */
export interface LogOverwriter {
  start(): void;
  stop(): void;
}

/** Repeats the attempt until no other process reads the log. When the database is closed, SQLite deletes the log. */
export const logOverwriter = (connection: DatabaseSync): LogOverwriter => {
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!isOverwritten(connection)) {
        start();
      }
    }, DELAY_MS).unref();
  };
  return { start, stop: () => clearTimeout(timer) };
};

const isOverwritten = (connection: DatabaseSync): boolean => {
  try {
    return connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } catch {
    // The disk is full, or the database is locked: the next attempt reports nothing new.
    return false;
  }
};
