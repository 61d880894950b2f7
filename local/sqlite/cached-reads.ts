import type { DatabaseSync } from "node:sqlite";

/** Values that are kept per read. */
const KEPT_MAX = 1_000;

/** Reads whose values are kept while nothing has written to their table. */
export interface CachedReads {
  /**
   * @param read reads one row by its key, or finds none
   * @returns the same, without reading the row again until somebody has written to the table: this process, or another
   */
  of<Key extends readonly string[], T>(table: string, read: (...key: Key) => T): (...key: Key) => T;
  /** Must be called before this connection writes to the tables. */
  written(tables: ReadonlySet<string>): void;
}

export const cachedReads = (connection: DatabaseSync): CachedReads => {
  const writes = new Map<string, number>();
  const commitsElsewhere = foreignCommits(connection);
  const versionOf = (table: string): number => commitsElsewhere() + (writes.get(table) ?? 0);
  return {
    of: (table, read) => {
      type Value = ReturnType<typeof read>;
      const kept = new Map<string, Value>();
      let version = -1;
      return (...key) => {
        // What a transaction has written is not permanent.
        if (connection.isTransaction) {
          return read(...key);
        }
        const current = versionOf(table);
        if (current !== version || kept.size >= KEPT_MAX) {
          kept.clear();
          version = current;
        }
        const name = key.join("\n");
        if (kept.has(name)) {
          return kept.get(name) as Value;
        }
        const value = read(...key);
        kept.set(name, value);
        return value;
      };
    },
    written: (tables) => {
      for (const table of tables) {
        writes.set(table, (writes.get(table) ?? 0) + 1);
      }
    },
  };
};

/**
 * @returns a function that returns a higher number after another connection has committed. It looks once per millisecond,
 * in which requests have no order
 */
const foreignCommits = (connection: DatabaseSync): (() => number) => {
  const pragma = connection.prepare("PRAGMA data_version");
  let [commits, last, lookedAt]: [number, unknown, number] = [0, undefined, Number.NaN];
  return () => {
    const now = Math.floor(performance.now());
    if (now !== lookedAt) {
      const current = pragma.get()?.data_version;
      commits += current === last ? 0 : 1;
      [last, lookedAt] = [current, now];
    }
    return commits;
  };
};
