import { join } from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import { TABLES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask, Part } from "../../core/engine.ts";
import { csvText } from "../csv/writer.ts";
import { type JsonList, jsonText, linesText, objectOf } from "../json/writer.ts";
import { columnNames, partName } from "../tables/names.ts";
import { orBlankLine, writeText } from "../text/chunks.ts";
import { identifier } from "./identifier.ts";
import { checkComplete, opened, orCorrupt, translated } from "./open.ts";

/** The tables of a database: one CSV or NDJSON file per table; in JSON, several tables are members of one object. */
export const fromSqlite = async (task: EngineTask): Promise<EngineResult> => {
  await checkComplete(task.input);
  const database = opened(task.input);
  try {
    const names = orCorrupt(() => tableNames(database, task.options.table));
    const found = { blobs: new Set<string>() };
    const sources = names.map((name) => sourceOf(database, name, found));
    const parts = await write(task, sources);
    return { warnings: warningsOf(found.blobs), ...(parts === undefined ? {} : { parts }) };
  } catch (error) {
    throw translated(error);
  } finally {
    database.close();
  }
};

/** @returns the names of its tables, or of the requested table or view */
const tableNames = (database: DatabaseSync, wanted: string | undefined): string[] => {
  const rows = database
    .prepare(
      "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )
    .all();
  const names = rows.map(({ name }) => String(name));
  const tables = rows.filter(({ type }) => type === "table").map(({ name }) => String(name));
  if (wanted !== undefined) {
    const found =
      names.find((name) => name === wanted) ?? names.find((name) => name.toLowerCase() === wanted.toLowerCase());
    if (found === undefined) {
      throw new JobError(
        "unsupported_feature",
        `Table ${wanted} does not exist. Tables and views in the database: ${names.slice(0, 20).join(", ").slice(0, 500)}.`,
      );
    }
    return [found];
  }
  if (tables.length === 0) {
    throw new JobError("unsupported_feature", "The database has no tables.");
  }
  if (tables.length > TABLES_MAX) {
    throw new JobError("output_too_large", `The database has ${tables.length} tables; the maximum is ${TABLES_MAX}.`);
  }
  return tables;
};

interface Source {
  readonly name: string;
  readonly columns: readonly string[];
  /** @returns rows in batches of a thousand */
  rows(): Generator<SQLOutputValue[][]>;
  /** @returns the JSON of a value, depending on its column */
  json(value: SQLOutputValue, column: number): string;
  text(value: SQLOutputValue): string | null;
}

const ROWS_AT_ONCE = 1_000;

const sourceOf = (database: DatabaseSync, name: string, found: { blobs: Set<string> }): Source => {
  const statement = database.prepare(`SELECT * FROM ${identifier(name)}`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = columnNames(statement.columns().map((column) => column.name));
  const base64 = (bytes: Uint8Array): string => {
    found.blobs.add(name);
    return Buffer.from(bytes).toString("base64");
  };
  const large = new Map<number, boolean>();
  const isLarge = (column: number): boolean => {
    const known = large.get(column) ?? holdsLarge(database, name, columns[column] ?? "");
    large.set(column, known);
    return known;
  };
  const text = (value: SQLOutputValue): string | null =>
    value === null ? null : value instanceof Uint8Array ? base64(value) : String(value);
  return {
    name,
    columns,
    text,
    json: (value, column) =>
      typeof value === "number" && Number.isFinite(value)
        ? JSON.stringify(value)
        : typeof value === "bigint" && !isLarge(column)
          ? String(value)
          : JSON.stringify(text(value)),
    rows: function* () {
      let batch: SQLOutputValue[][] = [];
      for (const row of statement.iterate() as Iterable<unknown>) {
        batch.push(row as SQLOutputValue[]);
        if (batch.length === ROWS_AT_ONCE) {
          yield batch;
          batch = [];
        }
      }
      yield batch;
    },
  };
};

/**
 * JSON parsers read integers as doubles: a column with an integer that a double cannot represent is written as text.
 */
const holdsLarge = (database: DatabaseSync, table: string, column: string): boolean => {
  const large = `typeof(${identifier(column)}) = 'integer' AND ${identifier(column)} NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
  return database.prepare(`SELECT 1 FROM ${identifier(table)} WHERE ${large} LIMIT 1`).get() !== undefined;
};

const write = async (task: EngineTask, sources: readonly Source[]): Promise<Part[] | undefined> => {
  if (task.to === "json") {
    await writeText(task.output, jsonText(sources.map(listOf), task.options.indent));
    return undefined;
  }
  const [only] = sources;
  if (only !== undefined && sources.length === 1) {
    await writeText(task.output, orBlankLine(partText(task, only)));
    return undefined;
  }
  const parts = sources.map(({ name }, index) => ({
    name: partName(name),
    path: join(task.folder, `table-${index + 1}`),
  }));
  for (const [index, source] of sources.entries()) {
    await writeText(parts[index]?.path ?? task.output, orBlankLine(partText(task, source)));
    task.progress((index + 1) / sources.length);
  }
  return parts;
};

const partText = (task: EngineTask, source: Source): AsyncIterable<string> =>
  task.to === "ndjson" ? linesText(listOf(source)) : csvOf(source, task.options.delimiter ?? DELIMITER);

const csvOf = async function* ({ columns, rows, text }: Source, delimiter: string): AsyncGenerator<string> {
  yield csvText([columns], delimiter);
  for (const batch of rows()) {
    yield csvText(
      batch.map((row) => row.map(text)),
      delimiter,
    );
  }
};

const listOf = ({ name, columns, rows, json }: Source): JsonList => {
  const keys = columns.map((column) => JSON.stringify(column));
  return {
    name,
    records: async function* () {
      for (const batch of rows()) {
        yield batch.map((row) => objectOf(keys, row.map(json)));
      }
    },
  };
};

const warningsOf = (blobs: ReadonlySet<string>): Warning[] => {
  const detail = `Binary values are written as Base64 in the tables: ${[...blobs].join(", ").slice(0, 500)}.`;
  return blobs.size === 0 ? [] : [{ code: "bytes_as_base64", detail }];
};
