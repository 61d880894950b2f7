import { DatabaseSync } from "node:sqlite";
import { JobError } from "../../../domain/errors.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import type { Kind } from "../tables/column-kinds.ts";
import { sqlNames } from "../tables/names.ts";
import { readTables } from "../tables/read-tables.ts";
import type { Column, Table, Value } from "../tables/table.ts";
import { identifier } from "./identifier.ts";

/** SQLite's types of column kinds; dates are texts (Datatypes In SQLite, 2.2). */
const AFFINITIES: Readonly<Record<Kind, string>> = {
  integer: "INTEGER",
  long: "INTEGER",
  number: "REAL",
  boolean: "INTEGER",
  date: "TEXT",
  timestamp: "TEXT",
  text: "TEXT",
};

/** SQLite's limits of columns, and of values in one statement (SQLITE_MAX_COLUMN). */
const COLUMNS_MAX = 2_000;

/** Writes each table into a new database; a table without a name is called `data`. */
export const intoSqlite = async (task: EngineTask): Promise<EngineResult> => {
  const { tables, warnings } = await readTables(task);
  const names = sqlNames(tables.map(({ name }) => tableName(name)));
  const database = new DatabaseSync(task.output);
  try {
    // Nobody reads the file before it is complete, so it needs no journal.
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN");
    for (const [index, table] of tables.entries()) {
      await writeTable(database, names[index] ?? "data", table);
    }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  return { warnings };
};

/** Names with this prefix are reserved by SQLite. */
const tableName = (name: string): string => (name === "" ? "data" : /^sqlite_/i.test(name) ? `_${name}` : name);

const writeTable = async (database: DatabaseSync, name: string, { columns, rows, rowCount }: Table): Promise<void> => {
  if (columns.length > COLUMNS_MAX) {
    throw new JobError(
      "output_too_large",
      `The table has ${columns.length} columns; the maximum in SQLite is ${COLUMNS_MAX}.`,
    );
  }
  const names = sqlNames(columns.length === 0 ? ["value"] : columns.map((column) => column.name));
  const declared = names.map((column, index) => `${identifier(column)} ${affinityOf(columns[index])}`);
  database.exec(`CREATE TABLE ${identifier(name)} (${declared.join(", ")})`);
  const insert = database.prepare(`INSERT INTO ${identifier(name)} VALUES (${names.map(() => "?").join(", ")})`);
  let written = 0;
  for await (const batch of rows()) {
    for (const row of batch) {
      insert.run(...names.map((_, index) => stored(row[index] ?? null)));
      written += 1;
    }
  }
  if (written !== rowCount) {
    throw new Error(`The table has ${rowCount} rows, but ${written} were written.`);
  }
};

const affinityOf = (column: Column | undefined): string => AFFINITIES[column?.kind ?? "text"];

const stored = (value: Value): null | number | string => (typeof value === "boolean" ? Number(value) : value);
