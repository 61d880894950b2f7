import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { schemaSteps } from "./schema.ts";
import { transactions } from "./transactions/transactions.ts";

/** Maximum size of the log file in bytes after it was merged into the database. */
const LOG_BYTES_MAX = 64_000_000;

const INCREMENTAL = 2;

/**
 * Sets up the connection, and updates the tables to this release. A database of an earlier release is copied first, to
 * `anyform.db.version-N`; only the latest copy is kept.
 * @throws Error with instructions when the database was written by a newer version
 */
export const migrate = (connection: DatabaseSync, path: string): void => {
  const version = numberOf(connection, "user_version");
  if (version > schemaSteps.length) {
    throw new Error(
      `The database ${path} has version ${version}, and this release of anyform knows versions up to ` +
        `${schemaSteps.length}: start the newer release, or set DATA_DIR to another folder.`,
    );
  }
  // Free pages are given back in small steps. Takes effect in a new database, or when the database is rewritten.
  connection.exec(`PRAGMA auto_vacuum = ${INCREMENTAL}`);
  connection.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = ${LOG_BYTES_MAX};
  `);
  if (version > 0 && version < schemaSteps.length) {
    keepCopy(connection, path, version);
  }
  transactions(connection)(() => {
    // Another process can have migrated it since.
    for (const [index, step] of schemaSteps.entries()) {
      if (index >= numberOf(connection, "user_version")) {
        connection.exec(`${step}; PRAGMA user_version = ${index + 1}`);
      }
    }
  });
  if (numberOf(connection, "auto_vacuum") !== INCREMENTAL) {
    connection.exec("VACUUM");
  }
};

/** Writes a consistent copy to a new file, readable only by the owner; other processes can write meanwhile. */
export const copyDatabase = (connection: DatabaseSync, path: string): void => {
  closeSync(openSync(path, "wx", 0o600));
  connection.prepare("VACUUM INTO ?").run(path);
};

const keepCopy = (connection: DatabaseSync, path: string, version: number): void => {
  const copy = `${path}.version-${version}`;
  rmSync(copy, { force: true });
  copyDatabase(connection, copy);
  const prefix = `${basename(path)}.version-`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix) && name !== basename(copy)) {
      rmSync(join(dirname(path), name));
    }
  }
};

/** @returns the value of a PRAGMA that is a number */
export const numberOf = (connection: DatabaseSync, pragma: string): number =>
  Number(connection.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
