import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { dialectOf } from "../csv/dialect.ts";
import { type Dialect, firstRows } from "../csv/reader.ts";
import { readCsvRows, surveyCsv } from "../csv/table.ts";
import { kindOf, nothingSeen, see } from "../tables/column-kinds.ts";
import { columnNames, sqlNames } from "../tables/names.ts";
import type { Column } from "../tables/table.ts";
import { writeText } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";
import { countRows } from "./count-rows.ts";
import { dictionaryOption } from "./dictionary.ts";
import { castOf, SQL_TYPES } from "./kinds.ts";
import { literal, quoted, type Session, withSession } from "./session.ts";

/**
 * CSV and TSV to Parquet. Well-formed input goes straight through DuckDB, which stops at the first malformed row; at
 * the same time, the rows are counted here. Anything irregular (encodings, ragged rows, stray quotes, a value whose
 * kind differs from the start of the file) takes a slower path: every value is examined, and DuckDB reads a normalized
 * copy.
 */
export const fromCsv = (task: EngineTask): Promise<EngineResult> =>
  withSession(task, async (session) => {
    if (task.options.encoding === undefined && (await straight(session, task))) {
      return { warnings: [] };
    }
    await rm(task.output, { force: true });
    return careful(session, task);
  });

const HEAD_BYTES = 262_144;
const SAMPLE_ROWS = 5_000;

/** @returns whether all rows were copied */
const straight = async (session: Session, task: EngineTask): Promise<boolean> => {
  const { input, output, from, options, progress } = task;
  const dialect = await dialectOf(input, from === "tsv" ? "\t" : options.delimiter);
  const { header = true } = options;
  const head = await likelyColumns(input, dialect, header);
  if (head === undefined || dialect.skipped > 0) {
    return false;
  }
  const { columns, dictionary } = head;
  const source = readCsv(input, { dialect, header, columns, lineBytesMax: LINE_BYTES });
  const select = columns.map(({ name, kind }) => `${castOf(quoted(name), kind)} AS ${quoted(name)}`).join(", ");
  try {
    const [copied, counted] = await Promise.all([
      session.copy(`COPY (SELECT ${select} FROM ${source}) TO ${literal(output)} ${parquet(dictionary)}`, progress),
      countRows(input),
    ]);
    return copied === counted - (header ? 1 : 0);
  } catch (error) {
    if (error instanceof Error && /^(?:Invalid Input|Conversion|Invalid) Error/.test(error.message)) {
      return false;
    }
    throw error;
  }
};

const parquet = (more: string): string => `(FORMAT parquet, COMPRESSION zstd${more})`;

export const PARQUET = parquet("");

interface Head {
  readonly columns: readonly Column[];
  /** Option of COPY for dictionaries. */
  readonly dictionary: string;
}

/** @returns the columns and their dictionaries, inferred from the start of the file; undefined when its encoding or its rows are irregular */
const likelyColumns = async (path: string, { delimiter }: Dialect, header: boolean): Promise<Head | undefined> => {
  const text = await headOf(path);
  const rows = firstRows(text, delimiter, SAMPLE_ROWS);
  const [first] = rows;
  if (first === undefined || /[\ufffd\0]/.test(text) || rows.some(({ length }) => length !== first.length)) {
    return undefined;
  }
  const names = sqlNames(columnNames(header ? first : [], first.length));
  const values = header ? rows.slice(1) : rows;
  const columns = names.map((name, index) => {
    const seen = nothingSeen();
    for (const row of values) {
      see(seen, row[index] ?? "");
    }
    return { name, kind: kindOf(seen), coded: false };
  });
  return { columns, dictionary: dictionaryOption(values) };
};

const headOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
  } finally {
    await file.close();
  }
};

/** Maximum bytes of a line: DuckDB's default, which fits in its memory. Its buffers are at least twice as large. */
const LINE_BYTES = 2_097_152;
const LINE_BYTES_MAX = 16_777_216;
const BUFFER_BYTES = 33_554_432;

interface CsvSource {
  readonly lineBytesMax: number;
  readonly dialect: Dialect;
  readonly header: boolean;
  readonly columns: readonly Pick<Column, "name">[];
}

/** Sniffing is off: input that does not match these settings is an error. */
const readCsv = (path: string, { dialect, header, columns, lineBytesMax }: CsvSource): string =>
  `read_csv(${[
    literal(path),
    "auto_detect = false",
    "strict_mode = true",
    "allow_quoted_nulls = false",
    `header = ${header}`,
    `delim = ${literal(dialect.delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `max_line_size = ${lineBytesMax}`,
    `buffer_size = ${Math.max(2 * lineBytesMax, BUFFER_BYTES)}`,
    `columns = {${columns.map(({ name }) => `${literal(name)}: 'VARCHAR'`).join(", ")}}`,
  ].join(", ")})`;

const careful = async (session: Session, task: EngineTask): Promise<EngineResult> => {
  const { folder, from, options, output, progress } = task;
  const { header = true } = options;
  const text = await utf8File(task.input, folder, options.encoding);
  const dialect = await dialectOf(text.path, from === "tsv" ? "\t" : options.delimiter);
  const { columns, rows, warnings } = await surveyCsv(text.path, dialect, {
    header,
    bytesRead: (bytes, ofBytes) => progress((0.4 * bytes) / ofBytes),
  });
  const names = columns.length === 0 ? ["value"] : sqlNames(columns.map(({ name }) => name));
  const copy = join(folder, "copy.csv");
  await writeText(copy, copyOf(readCsvRows(text.path, dialect, { header }), columns));
  const source = readCsv(copy, {
    dialect: { delimiter: ",", skipped: 0 },
    header: false,
    lineBytesMax: LINE_BYTES_MAX,
    columns: names.map((name) => ({ name })),
  });
  const select = names.map(
    (name, index) => `${quoted(name)}::${SQL_TYPES[columns[index]?.kind ?? "text"]} AS ${quoted(name)}`,
  );
  const sql = `COPY (SELECT ${select.join(", ")} FROM ${source}) TO ${literal(output)} ${PARQUET}`;
  const copied = await orTooLong(session.copy(sql, (share) => progress(0.7 + 0.3 * share)));
  if (copied !== rows) {
    throw new Error(`The CSV has ${rows} rows, but ${copied} were copied.`);
  }
  return { warnings: [...text.warnings, ...warnings] };
};

/** @returns the rows as a CSV in which every value is quoted and every row has all columns */
const copyOf = async function* (
  batches: ReturnType<typeof readCsvRows>,
  columns: readonly Column[],
): AsyncGenerator<string> {
  for await (const batch of batches) {
    let text = "";
    for (const row of batch) {
      const cells = columns.map(({ kind }, index) => {
        const cell = row[index] ?? null;
        return cell === null || (cell === "" && kind !== "text") ? "" : `"${cell.replaceAll('"', '""')}"`;
      });
      text += `${cells.join(",")}\n`;
    }
    yield text;
  }
};

const orTooLong = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && /max(?:imum)?[_ ]line[_ ]size/i.test(error.message)) {
      throw new JobError(
        "unsupported_feature",
        `A row of the CSV has more than ${LINE_BYTES_MAX} bytes, the maximum.`,
        { cause: error },
      );
    }
    throw error;
  }
};
