import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { dialectOf } from "../csv/dialect.ts";
import { readCsvRows, surveyCsv } from "../csv/table.ts";
import { csvText } from "../csv/writer.ts";
import { readElements } from "../json/elements.ts";
import { compactJson } from "../json/layout.ts";
import { checkJson } from "../json/record.ts";
import { jsonParts, surveyJson } from "../json/tables.ts";
import { jsonText, linesText, objectOf } from "../json/writer.ts";
import type { Column } from "../tables/table.ts";
import { orBlankLine, writeText } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";
import { jsonOf } from "./from-csv.ts";

/** A table to append, after a pass over its rows. */
interface Source {
  readonly columns: readonly Column[];
  readonly warnings: readonly Warning[];
  /** @returns its rows in the syntax of the target, with the columns in this order */
  readonly rows: (order: readonly string[]) => AsyncGenerator<string[]>;
}

/**
 * Appends tables with the same columns, in any order of columns. The first table decides the order.
 *
 * @throws JobError `unsupported_feature` when the columns of a table differ from those of the first one
 */
export const mergeTables = async (task: EngineTask): Promise<EngineResult> => {
  const files = [{ path: task.input, from: task.from }, ...task.further];
  const sources: Source[] = [];
  for (const [index, { path, from }] of files.entries()) {
    sources.push(...(await sourcesOf({ ...task, input: path, from })).map(checked(sources[0], index + 1)));
    task.progress((index + 1) / (files.length + 1));
  }
  const names = sources[0]?.columns.map(({ name }) => name) ?? [];
  const records = async function* (): AsyncGenerator<string[]> {
    for (const source of sources) {
      yield* source.rows(names);
    }
  };
  await writeText(task.output, orBlankLine(textOf(task, names, records)));
  return { warnings: sources.flatMap(({ warnings }) => warnings) };
};

const textOf = (
  { to, options }: EngineTask,
  names: readonly string[],
  records: () => AsyncGenerator<string[]>,
): AsyncGenerator<string> => {
  if (to !== "csv") {
    return to === "ndjson" ? linesText({ records }) : jsonText([{ name: "", records }], options.indent);
  }
  return (async function* () {
    if (options.header !== false) {
      yield csvText([names], DELIMITER);
    }
    for await (const rows of records()) {
      yield rows.join("");
    }
  })();
};

const NAMED_MAX = 10;

/** @returns a check of a table against the first one */
const checked =
  (first: Source | undefined, number: number) =>
  (source: Source): Source => {
    const [wanted, own] = [first ?? source, source].map(({ columns }) => columns.map(({ name }) => name));
    const listed = (names: readonly string[]): string =>
      names
        .slice(0, NAMED_MAX)
        .map((name) => JSON.stringify(name.slice(0, 60)))
        .join(", ");
    const missing = (wanted ?? []).filter((name) => own?.includes(name) === false);
    const more = (own ?? []).filter((name) => wanted?.includes(name) === false);
    if (missing.length > 0 || more.length > 0) {
      const differences = [
        ...(missing.length > 0 ? [`missing: ${listed(missing)}`] : []),
        ...(more.length > 0 ? [`additional: ${listed(more)}`] : []),
      ].join("; ");
      throw new JobError(
        "unsupported_feature",
        `File ${number}: its columns differ from those of the first table (${differences}). Tables that are merged need the same columns.`,
        { isFinal: true },
      );
    }
    return source;
  };

const JSON_FORMATS: readonly FormatId[] = ["json", "ndjson"];

const sourcesOf = async (task: EngineTask): Promise<Source[]> => {
  const { path, warnings } = await utf8File(task.input, task.folder, task.options.encoding);
  const made = JSON_FORMATS.includes(task.from) ? await fromJson(task, path) : [await fromCsv(task, path)];
  return made.map((source) => ({ ...source, warnings: [...warnings, ...source.warnings] }));
};

const fromCsv = async ({ from, to, options }: EngineTask, path: string): Promise<Source> => {
  const { header = true } = options;
  const dialect = await dialectOf(path, from === "tsv" ? "\t" : options.delimiter);
  const { columns, warnings } = await surveyCsv(path, dialect, { header });
  const rows = async function* (order: readonly string[]): AsyncGenerator<string[]> {
    const places = order.map((name) => columns.findIndex((column) => column.name === name));
    const keys = order.map((name) => JSON.stringify(name));
    for await (const batch of readCsvRows(path, dialect, { header })) {
      yield batch.map((row) => {
        const cells = places.map((place) => row[place] ?? null);
        return to === "csv"
          ? csvText([cells], DELIMITER)
          : objectOf(
              keys,
              cells.map((cell, index) => jsonOf(cell, columns[places[index] ?? 0]?.kind ?? "text")),
            );
      });
    }
  };
  return { columns, warnings, rows };
};

/** Records keep their digits and their own order of members. Each table of a text with several is a source. */
const fromJson = async ({ from }: EngineTask, path: string): Promise<Source[]> => {
  const { parts, warnings } = await jsonParts(path, from === "ndjson");
  const sources: Source[] = [];
  for (const part of parts) {
    const { columns } = await surveyJson(path, part, { flat: false });
    const rows = async function* (): AsyncGenerator<string[]> {
      for await (const texts of readElements(path, part.kind, { span: part.span })) {
        texts.forEach(checkJson);
        yield texts.map(compactJson);
      }
    };
    sources.push({ columns, warnings: sources.length === 0 ? warnings : [], rows });
  }
  return sources;
};
