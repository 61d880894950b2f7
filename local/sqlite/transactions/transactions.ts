import type { DatabaseSync } from "node:sqlite";

/** @returns a function that runs work in a separate transaction */
export const transactions = (connection: DatabaseSync): (<T>(work: () => T) => T) => {
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
