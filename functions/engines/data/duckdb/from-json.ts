import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import type { EngineResult, EngineTask, Part } from "../../core/engine.ts";
import { readElements } from "../json/elements.ts";
import { compactJson } from "../json/layout.ts";
import { checkJson, depthOf, fieldsOf } from "../json/record.ts";
import { type JsonPart, jsonParts, surveyJson } from "../json/tables.ts";
import { objectOf } from "../json/writer.ts";
import { partName } from "../tables/names.ts";
import type { Column } from "../tables/table.ts";
import { orBlankLine, writeText } from "../text/chunks.ts";
import { utf8File } from "../text/utf8-file.ts";
import { PARQUET } from "./from-csv.ts";
import { SQL_TYPES } from "./kinds.ts";
import { literal, quoted, type Session, withSession } from "./session.ts";

/** Maximum bytes of a record that fit in DuckDB's memory. */
const RECORD_BYTES_MAX = 16_777_216;

/** JSON and NDJSON to Parquet, with nested objects as structs; several tables become one part each. */
export const fromJson = (task: EngineTask): Promise<EngineResult> =>
  withSession(task, async (session) => {
    const { path, warnings } = await utf8File(task.input, task.folder, task.options.encoding);
    const found = await jsonParts(path, task.from === "ndjson");
    const single = found.parts.length === 1;
    const made: Part[] = [];
    for (const [index, part] of found.parts.entries()) {
      const output = single ? task.output : join(task.folder, `part-${index + 1}`);
      const lines = join(task.folder, `lines-${index + 1}.ndjson`);
      const { columns, rows } = await surveyJson(path, part, { flat: false });
      await writeLines({ path, part, lines });
      await writeParquet(session, { lines, output, columns, rows, progress: task.progress });
      made.push({ path: output, name: partName(part.name) });
    }
    return { warnings: [...warnings, ...found.warnings], ...(single ? {} : { parts: made }) };
  });

/** Writes one record per line, all as objects. */
const writeLines = ({ path, part, lines }: { path: string; part: JsonPart; lines: string }): Promise<void> => {
  const text = async function* (): AsyncGenerator<string> {
    for await (const texts of readElements(path, part.kind, { span: part.span })) {
      yield texts.map((record) => `${objectText(record)}\n`).join("");
    }
  };
  return writeText(lines, orBlankLine(text()));
};

/** Maximum nesting: DuckDB recurses per level, and the process crashes when its stack is full. */
const DEPTH_MAX = 100;

const objectText = (record: string): string => {
  if (depthOf(record) > DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The JSON is nested more than ${DEPTH_MAX} levels deep.`);
  }
  if (record.startsWith("{")) {
    checkJson(record);
    return compactJson(record);
  }
  const fields = fieldsOf(record, false);
  return objectOf(
    [...fields.keys()].map((name) => JSON.stringify(name)),
    [...fields.values()],
  );
};

interface Writing {
  readonly lines: string;
  readonly output: string;
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly progress: (share: number) => void;
}

const writeParquet = async (session: Session, writing: Writing): Promise<void> => {
  const { output, columns, rows, progress } = writing;
  const source =
    rows === 0 || columns.length === 0
      ? `(SELECT NULL::VARCHAR AS value FROM range(${rows}))`
      : await typed(session, writing);
  const copied = await orCorrupt(
    session.copy(`COPY (SELECT * FROM ${source}) TO ${literal(output)} ${PARQUET}`, progress),
  );
  if (copied !== rows) {
    throw new Error(`The JSON has ${rows} records, but ${copied} were copied.`);
  }
};

/**
 * All records are read before their types are decided, and no type depends on how often a field appears. Texts are not
 * detected as dates here, because their time zone would be lost.
 */
const settingsOf = (lines: string): string[] => [
  literal(lines),
  "format = 'newline_delimited'",
  "records = true",
  "sample_size = -1",
  "field_appearance_threshold = 0",
  "map_inference_threshold = -1",
  "dateformat = '~%Y~'",
  "timestampformat = '~%Y~'",
  `maximum_object_size = ${RECORD_BYTES_MAX}`,
];

const typed = async (session: Session, { lines, columns }: Writing): Promise<string> => {
  const settings = settingsOf(lines);
  const described = await orCorrupt(session.rows(`DESCRIBE SELECT * FROM read_json(${settings.join(", ")})`));
  const names = described.map(([name]) => String(name));
  const types = described.map(([name, type]) => `${literal(String(name))}: ${literal(readAs(String(type)))}`);
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
  const select = names.map((name) => {
    const kind = kinds.get(name);
    const dated = kind === "date" || kind === "timestamp";
    return dated ? `${quoted(name)}::${SQL_TYPES[kind]} AS ${quoted(name)}` : quoted(name);
  });
  const fixed = [
    ...settings.filter((setting) => !setting.startsWith("sample_size")),
    `columns = {${types.join(", ")}}`,
  ];
  return `(SELECT ${select.join(", ")} FROM read_json(${fixed.join(", ")}))`;
};

/**
 * Texts that look like times or UUIDs remain texts, and so do columns of mixed types. Parquet has no 128-bit integers,
 * and DuckDB would write doubles instead.
 */
const readAs = (type: string): string => {
  if (["JSON", "HUGEINT", "TIME", "UUID", "TIMESTAMP", "DATE"].includes(type)) {
    return "VARCHAR";
  }
  return type.includes("HUGEINT") ? "JSON" : type;
};

const orCorrupt = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/maximum_object_size/.test(message)) {
      throw new JobError(
        "unsupported_feature",
        `A record of the JSON has more than ${RECORD_BYTES_MAX} bytes, the maximum.`,
        {
          cause: error,
        },
      );
    }
    if (/^Invalid Input Error/.test(message)) {
      const reason =
        /duplicate key "[^"]{0,100}"|at byte \d+ in line \d+[^\n]{0,100}/.exec(message)?.[0] ??
        "its records cannot be read";
      throw new JobError("source_corrupt", `Invalid JSON: ${reason}.`, { cause: error });
    }
    throw error;
  }
};
