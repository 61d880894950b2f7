import { open } from "node:fs/promises";
import { join } from "node:path";
import { type RecordBatch, RecordBatchReader, type Schema } from "apache-arrow";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { PARQUET } from "../duckdb/from-csv.ts";
import { literal, quoted, type Session } from "../duckdb/session.ts";
import { columnNames, sqlNames } from "../tables/names.ts";
import { writeText } from "../text/chunks.ts";
import { cellsOf } from "./cells.ts";
import { registerCodecs } from "./codecs.ts";
import { sqlTypeOf } from "./columns.ts";

/** Maximum bytes of a row as JSON. */
const ROW_BYTES_MAX = 16_777_216;

/**
 * Converts an Arrow file to Parquet. DuckDB cannot read it, so it reads the rows as JSON, with the types of the columns.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`
 */
export const arrowToParquet = async (
  session: Session,
  { input, folder, progress }: Pick<EngineTask, "input" | "folder" | "progress">,
  output: string,
): Promise<void> => {
  registerCodecs();
  const lines = join(folder, "arrow.ndjson");
  const file = await open(input);
  try {
    const reader = await orCorrupt(async () => (await RecordBatchReader.from(file)).open());
    const { rows, columns } = await writeRows(reader, lines);
    const select = columns.map(({ name }, index) => `${quoted(keyOf(index))} AS ${quoted(name)}`).join(", ");
    const types = columns.map(({ type }, index) => `${literal(keyOf(index))}: ${literal(type)}`).join(", ");
    const json = `read_json(${literal(lines)}, format = 'newline_delimited', columns = {${types}}, maximum_object_size = ${ROW_BYTES_MAX})`;
    const source = columns.length === 0 || rows === 0 ? emptyTable(columns, rows) : `(SELECT ${select} FROM ${json})`;
    const copied = await orUnsupported(
      session.copy(`COPY (SELECT * FROM ${source}) TO ${literal(output)} ${PARQUET}`, progress),
    );
    if (copied !== rows) {
      throw new Error(`The Arrow file has ${rows} rows, but ${copied} were copied.`);
    }
  } finally {
    await file.close();
  }
};

interface Column {
  readonly name: string;
  readonly type: string;
}

interface Reader {
  readonly schema: Schema;
  [Symbol.asyncIterator](): AsyncIterator<RecordBatch>;
}

/** Writes one JSON object per row, whose keys are the numbers of the columns: names can occur more than once. */
const writeRows = async (reader: Reader, lines: string): Promise<{ rows: number; columns: Column[] }> => {
  const { fields } = reader.schema;
  const names = sqlNames(columnNames(fields.map(({ name }) => name)));
  const columns = fields.map((field, index) => ({ name: names[index] ?? "", type: sqlTypeOf(field) }));
  let rows = 0;
  const text = async function* (): AsyncGenerator<string> {
    for await (const batch of batchesOf(reader)) {
      const cells = batch.data.children.map(cellsOf);
      for (let start = 0; start < batch.numRows; start += ROWS_AT_ONCE) {
        yield orCorruptNow(() => {
          let chunk = "";
          for (let row = start; row < Math.min(batch.numRows, start + ROWS_AT_ONCE); row += 1) {
            chunk += `{${cells.map((cell, index) => `"${keyOf(index)}":${cell(row)}`).join(",")}}\n`;
          }
          return chunk;
        });
      }
      rows += batch.numRows;
    }
  };
  await writeText(lines, text());
  return { rows, columns };
};

const ROWS_AT_ONCE = 1_000;

const keyOf = (index: number): string => `c${index}`;

const emptyTable = (columns: readonly Column[], rows: number): string =>
  columns.length === 0
    ? `(SELECT NULL::VARCHAR AS value FROM range(${rows}))`
    : `(SELECT ${columns.map(({ name, type }) => `NULL::${type} AS ${quoted(name)}`).join(", ")} WHERE false)`;

/** Values outside of the range of their type in SQL: the last nanosecond, decimals with more digits than declared. */
const orUnsupported = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/maximum_object_size/.test(message)) {
      const detail = `A row of the Arrow file has more than ${ROW_BYTES_MAX} bytes, the maximum.`;
      throw new JobError("unsupported_feature", detail, { cause: error });
    }
    if (/^(?:Invalid Input|Conversion) Error/.test(message)) {
      const detail = "The Arrow file has a value that is outside of the range of its column in Parquet.";
      throw new JobError("unsupported_feature", detail, { cause: error });
    }
    throw error;
  }
};

const batchesOf = async function* (reader: Reader): AsyncGenerator<RecordBatch> {
  const batches = reader[Symbol.asyncIterator]();
  for (;;) {
    const next = await orCorrupt(() => batches.next());
    if (next.done === true) {
      return;
    }
    yield next.value;
  }
};

/** Any error of the library while reading the only file that it can access is caused by the file. */
const translated = (error: unknown): unknown => {
  if (error instanceof JobError) {
    return error;
  }
  const message = error instanceof Error ? error.message : "";
  return /not (?:yet )?(?:implemented|supported)|Unrecognized type|unsupported/i.test(message)
    ? new JobError("unsupported_feature", "The Arrow file uses a feature that is not supported.", { cause: error })
    : new JobError("source_corrupt", "The Arrow file is damaged or truncated.", { cause: error });
};

const orCorrupt = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    throw translated(error);
  }
};

const orCorruptNow = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw translated(error);
  }
};
