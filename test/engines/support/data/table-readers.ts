import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { parse as parseCsv } from "csv-parse/sync";
import { readOds } from "hucre/ods";
import { readXls, readXlsx, type Workbook } from "hucre/xlsx";
import { parse as parseJson } from "lossless-json";
import { Table as ArrowTable, writeParquet } from "parquet-wasm";
import { parse as parseHtml } from "parse5";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { withTool } from "../tools.ts";
import { parquetRowCount } from "./parquet-footer.ts";
import { xlsbRows } from "./xlsb.ts";

/** A row of a table as another reader returns it, by column name. */
export type ReadRow = Readonly<Record<string, unknown>>;

const named = ([names = [], ...rows]: readonly (readonly unknown[])[]): ReadRow[] =>
  rows.map((row) => Object.fromEntries(names.map((name, index) => [String(name), row[index] ?? null])));

const separated = (path: string, delimiter: string): ReadRow[] =>
  named(parseCsv(readFileSync(path, "utf8"), { delimiter, relax_column_count: false }));

const firstSheet = ({ sheets }: Workbook): ReadRow[] => named(sheets[0]?.rows ?? []);

const DAY_MS = 86_400_000;

/** A day count is a date only by its cell format, which the reader ignores. */
const dated = (row: ReadRow): ReadRow =>
  typeof row.joined === "number" ? { ...row, joined: new Date(Date.UTC(1899, 11, 30) + row.joined * DAY_MS) } : row;

/** DuckDB wrote the file, so the row count is read by separate code. */
const parquet = async (path: string): Promise<ReadRow[]> => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = (await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)).getRowObjectsJson();
  if (rows.length !== parquetRowCount(readFileSync(path))) {
    throw new Error("The row count in the footer differs.");
  }
  return rows;
};

/** Read as a stream, by the Rust implementation of Arrow. */
const arrow = async (path: string): Promise<ReadRow[]> => {
  const copy = `${path}.parquet`;
  writeFileSync(copy, writeParquet(ArrowTable.fromIPCStream(readFileSync(path).subarray(ARROW_MAGIC_BYTES))));
  return parquet(copy);
};

/** The signature and its padding; a stream follows. */
const ARROW_MAGIC_BYTES = 8;

const sqlite = (path: string): ReadRow[] => {
  const database = new DatabaseSync(path, { readOnly: true });
  const [table] = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const statement = database.prepare(`SELECT * FROM "${table?.name}"`);
  statement.setReadBigInts(true);
  const rows = statement.all();
  database.close();
  if (withTool("sqlite3")) {
    const count = execFileSync("sqlite3", [
      "-readonly",
      path,
      `PRAGMA integrity_check; SELECT count(*) FROM "${table?.name}"`,
    ]);
    if (String(count) !== `ok\n${rows.length}\n`) {
      throw new Error(`sqlite3 reports: ${count}`);
    }
  }
  return rows;
};

interface HtmlNode {
  readonly nodeName: string;
  readonly value?: string;
  readonly childNodes?: readonly HtmlNode[];
}

const htmlTable = (path: string): ReadRow[] => {
  const find = (node: HtmlNode, names: readonly string[]): HtmlNode[] =>
    names.includes(node.nodeName) ? [node] : (node.childNodes ?? []).flatMap((child) => find(child, names));
  const textOf = (node: HtmlNode): string => node.value ?? (node.childNodes ?? []).map(textOf).join("");
  const rows = find(parseHtml(readFileSync(path, "utf8")), ["tr"]);
  return named(rows.map((row) => find(row, ["th", "td"]).map(textOf)));
};

const numberOf = (text: string): number | bigint => {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value;
};
const json = (text: string): unknown => parseJson(text, undefined, { parseNumber: numberOf });

/** Table readers that share no code with the writers, if there are any, by format. */
export const tableReaders: Partial<Record<FormatId, (path: string) => Promise<ReadRow[]> | ReadRow[]>> = {
  csv: (path) => separated(path, ","),
  tsv: (path) => separated(path, "\t"),
  json: (path) => json(readFileSync(path, "utf8")) as ReadRow[],
  ndjson: (path) =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => json(line) as ReadRow),
  parquet,
  arrow,
  sqlite,
  html: htmlTable,
  xlsx: async (path) => firstSheet(await readXlsx(readFileSync(path))),
  xlsb: async (path) => named(await xlsbRows(path)).map(dated),
  xls: async (path) => firstSheet(await readXls(readFileSync(path))),
  ods: async (path) => firstSheet(await readOds(readFileSync(path))),
};
