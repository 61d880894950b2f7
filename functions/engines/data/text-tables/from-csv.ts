import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { dialectOf } from "../csv/dialect.ts";
import { type CsvCell, type CsvFaults, type Dialect, readCsv } from "../csv/reader.ts";
import { readCsvRows, surveyCsv } from "../csv/table.ts";
import { csvText } from "../csv/writer.ts";
import { jsonString, jsonText, linesText, objectOf } from "../json/writer.ts";
import type { Kind } from "../tables/column-kinds.ts";
import { type BytesRead, orBlankLine, writeText } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";

/** CSV and TSV to each other, row by row and unchanged, and to JSON and NDJSON. */
export const fromCsv = async (task: EngineTask): Promise<EngineResult> => {
  const { path, warnings } = await utf8File(task.input, task.folder, task.options.encoding);
  const dialect = await dialectOf(path, task.from === "tsv" ? "\t" : task.options.delimiter);
  const source = { path, dialect };
  const result =
    task.to === "csv" || task.to === "tsv" ? await copyRows(task, source) : await writeRecords(task, source);
  return { warnings: [...warnings, ...result.warnings] };
};

interface Source {
  readonly path: string;
  readonly dialect: Dialect;
}

const copyRows = async ({ output, to, from, options, progress }: EngineTask, { path, dialect }: Source) => {
  const faults: CsvFaults = { strayQuotes: 0 };
  const delimiter = to === "tsv" ? "\t" : from === "tsv" ? (options.delimiter ?? DELIMITER) : ",";
  const rows = readCsv(path, dialect, { faults, bytesRead: (bytes, ofBytes) => progress(bytes / ofBytes) });
  await writeText(output, orBlankLine(textOf(rows, delimiter)));
  return { warnings: faults.strayQuotes === 0 ? [] : [strayQuotes(faults.strayQuotes)] };
};

const strayQuotes = (count: number) => ({
  code: "stray_quotes",
  detail: `Quotes in positions where CSV does not allow them: ${count}. They are kept as text.`,
});

const textOf = async function* (
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
  delimiter: string,
): AsyncGenerator<string> {
  for await (const batch of batches) {
    yield csvText(batch, delimiter);
  }
};

const writeRecords = async (task: EngineTask, { path, dialect }: Source) => {
  const { header = true } = task.options;
  const half =
    (from: number): BytesRead =>
    (bytes, ofBytes) =>
      task.progress(from + bytes / ofBytes / 2);
  const { columns, warnings } = await surveyCsv(path, dialect, { header, bytesRead: half(0) });
  const keys = columns.map(({ name }) => JSON.stringify(name));
  const records = async function* (): AsyncGenerator<string[]> {
    for await (const batch of readCsvRows(path, dialect, { header, bytesRead: half(0.5) })) {
      yield batch.map((row) =>
        objectOf(
          keys,
          columns.map(({ kind }, index) => jsonOf(row[index] ?? null, kind)),
        ),
      );
    }
  };
  const text =
    task.to === "ndjson" ? orBlankLine(linesText({ records })) : jsonText([{ name: "", records }], task.options.indent);
  await writeText(task.output, text);
  return { warnings };
};

const LITERALS: readonly Kind[] = ["integer", "number", "boolean"];

/** @returns the cell as JSON. Numbers are written unchanged: `1.10` is a valid JSON number and keeps its zero. */
export const jsonOf = (cell: CsvCell, kind: Kind): string => {
  if (cell === null) {
    return "null";
  }
  return LITERALS.includes(kind) ? cell || "null" : jsonString(cell);
};
