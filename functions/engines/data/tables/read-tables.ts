import type { EngineTask } from "../../core/engine.ts";
import { dialectOf } from "../csv/dialect.ts";
import type { CsvRow } from "../csv/reader.ts";
import { readCsvRows, surveyCsv } from "../csv/table.ts";
import { textOfJson } from "../json/record.ts";
import { jsonParts, readJsonRows, surveyJson, valueOfJson } from "../json/tables.ts";
import type { BytesRead } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";
import { isExactNumber } from "./column-kinds.ts";
import { localValue } from "./local-values.ts";
import type { Column, Row, Table, Tables, Value } from "./table.ts";

/** Options for reading a table from text. */
export interface ReadTables extends Pick<EngineTask, "input" | "folder" | "from" | "options"> {
  /**
   * Whether numbers in a text column are numbers, unless a value of the column only looks like one (`007`), and texts
   * with decimal commas and dates such as `05.01.2024` are values.
   */
  readonly mixed?: boolean;
  readonly progress: (share: number) => void;
}

/** The first half of the progress is the pass over all values that detects the kinds of columns. */
const SURVEY_SHARE = 0.5;

/**
 * Reads the tables of a CSV, TSV, JSON or NDJSON as typed values.
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

const reporter =
  (progress: (share: number) => void, from: number): BytesRead =>
  (bytes, ofBytes) =>
    progress(from + (SURVEY_SHARE * bytes) / ofBytes);

const csvTables = async ({ path, from, options, mixed = false, progress }: Reading): Promise<Tables> => {
  const { header = true } = options;
  const dialect = await dialectOf(path, from === "tsv" ? "\t" : options.delimiter);
  const {
    columns,
    rows: rowCount,
    warnings,
  } = await surveyCsv(path, dialect, { header, local: mixed, bytesRead: reporter(progress, 0) });
  const rows = async function* (): AsyncGenerator<Row[]> {
    for await (const batch of readCsvRows(path, dialect, { header, bytesRead: reporter(progress, SURVEY_SHARE) })) {
      yield batch.map((row) => typedRow(row, columns, mixed));
    }
  };
  return { tables: [{ name: "", columns, rowCount, named: header, rows }], warnings };
};

const typedRow = (row: CsvRow, columns: readonly Column[], mixed: boolean): Value[] =>
  columns.map((column, index) => valueOfText(row[index] ?? null, column, mixed));

const valueOfText = (text: string | null, { kind, coded, notation }: Column, mixed: boolean): Value => {
  if (text === null) {
    return null;
  }
  if (notation !== undefined) {
    return text === "" ? null : localValue(text, notation);
  }
  if (kind === "integer" || kind === "number" || kind === "boolean") {
    // Empty texts are ignored, so a column of numbers may have some.
    return text === "" ? null : kind === "boolean" ? text === "true" : Number(text);
  }
  return kind === "text" && mixed && !coded && isExactNumber(text) ? Number(text) : text;
};

const jsonTables = async ({ path, from, progress }: Reading): Promise<Tables> => {
  const { parts, warnings } = await jsonParts(path, from === "ndjson");
  const tables: Table[] = [];
  for (const part of parts) {
    const { columns, rows: rowCount, flat } = await surveyJson(path, part, { bytesRead: reporter(progress, 0) });
    const rows = async function* (): AsyncGenerator<Row[]> {
      const bytesRead = reporter(progress, SURVEY_SHARE);
      for await (const batch of readJsonRows(path, part, { columns, flat, bytesRead })) {
        // When one number of a column is a text, all are.
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
