import type { EngineTask } from "../engine.ts";
import { isExactNumber } from "./column-kinds.ts";
import { dialectOf } from "./csv-dialect.ts";
import type { CsvRow } from "./csv-reader.ts";
import { readCsvRows, surveyCsv } from "./csv-table.ts";
import { textOfJson } from "./json-record.ts";
import { jsonParts, readJsonRows, surveyJson, valueOfJson } from "./json-tables.ts";
import type { Column, Row, Table, Tables, Value } from "./table.ts";
import type { BytesRead } from "./text-chunks.ts";
import { utf8File } from "./utf8-file.ts";

/** What a text of tables is read with. */
export interface ReadTables extends Pick<EngineTask, "input" | "folder" | "from" | "options"> {
  /** Whether a number in a column of texts is a number, where no value of the column only looks like one. */
  readonly mixed?: boolean;
  readonly progress: (share: number) => void;
}

/** Half of the way is the look at all values that tells what columns hold. */
const LOOK_SHARE = 0.5;

/**
 * Reads the tables of a CSV, TSV, JSON or NDJSON as values that have types.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`, `output_too_large`
 */
export const readTables = async (task: ReadTables): Promise<Tables> => {
  const { path, warnings } = await utf8File(task.input, task.folder, task.options.encoding);
  const tables =
    task.from === "csv" || task.from === "tsv"
      ? await csvTables({ ...task, path })
      : await jsonTables({ ...task, path });
  return { tables: tables.tables, warnings: [...warnings, ...tables.warnings] };
};

type Reading = ReadTables & { readonly path: string };

const told =
  (progress: (share: number) => void, from: number): BytesRead =>
  (bytes, ofBytes) =>
    progress(from + (LOOK_SHARE * bytes) / ofBytes);

const csvTables = async ({ path, from, options, mixed = false, progress }: Reading): Promise<Tables> => {
  const { header = true } = options;
  const dialect = await dialectOf(path, from === "tsv" ? "\t" : options.delimiter);
  const {
    columns,
    rows: rowCount,
    warnings,
  } = await surveyCsv(path, dialect, { header, bytesRead: told(progress, 0) });
  const rows = async function* (): AsyncGenerator<Row[]> {
    for await (const batch of readCsvRows(path, dialect, { header, bytesRead: told(progress, LOOK_SHARE) })) {
      yield batch.map((row) => typedRow(row, columns, mixed));
    }
  };
  return { tables: [{ name: "", columns, rowCount, named: header, rows }], warnings };
};

const typedRow = (row: CsvRow, columns: readonly Column[], mixed: boolean): Value[] =>
  columns.map((column, index) => valueOfText(row[index] ?? null, column, mixed));

const valueOfText = (text: string | null, { kind, coded }: Column, mixed: boolean): Value => {
  if (text === null) {
    return null;
  }
  if (kind === "integer" || kind === "number" || kind === "boolean") {
    // An empty text says nothing, so a column of numbers may have some.
    return text === "" ? null : kind === "boolean" ? text === "true" : Number(text);
  }
  return kind === "text" && mixed && !coded && isExactNumber(text) ? Number(text) : text;
};

const jsonTables = async ({ path, from, progress }: Reading): Promise<Tables> => {
  const { parts, warnings } = await jsonParts(path, from === "ndjson");
  const tables: Table[] = [];
  for (const part of parts) {
    const { columns, rows: rowCount, flat } = await surveyJson(path, part, { bytesRead: told(progress, 0) });
    const rows = async function* (): AsyncGenerator<Row[]> {
      const bytesRead = told(progress, LOOK_SHARE);
      for await (const batch of readJsonRows(path, part, { columns, flat, bytesRead })) {
        // Where one number is a text, all numbers of the column are.
        yield batch.map((row) =>
          row.map((json, index) =>
            columns[index]?.coded && json !== undefined ? textOfJson(json) : valueOfJson(json),
          ),
        );
      }
    };
    tables.push({ name: part.name, columns, rowCount, named: true, rows });
  }
  return { tables, warnings };
};
