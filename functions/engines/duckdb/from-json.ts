import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import type { EngineResult, EngineTask, Part } from "../engine.ts";
import { readElements } from "../io/json-elements.ts";
import { compactJson } from "../io/json-layout.ts";
import { checkJson, depthOf, fieldsOf } from "../io/json-record.ts";
import { type JsonPart, jsonParts, surveyJson } from "../io/json-tables.ts";
import { objectOf } from "../io/json-writer.ts";
import { partName } from "../io/names.ts";
import type { Column } from "../io/table.ts";
import { orBlankLine, writeText } from "../io/text-chunks.ts";
import { utf8File } from "../io/utf8-file.ts";
import { PARQUET } from "./from-csv.ts";
import { SQL_TYPES } from "./kinds.ts";
import { literal, quoted, type Session, withSession } from "./session.ts";

/** Bytes of a record, as fits in DuckDB's memory. */
const RECORD_BYTES_MAX = 16_777_216;

/** JSON and NDJSON into Parquet, objects within as such; of several tables each is a part. */
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

/** Writes the records one a line, all as objects. */
const writeLines = ({ path, part, lines }: { path: string; part: JsonPart; lines: string }): Promise<void> => {
  const text = async function* (): AsyncGenerator<string> {
    for await (const texts of readElements(path, part.kind, { span: part.span })) {
      yield texts.map((record) => `${objectText(record)}\n`).join("");
    }
  };
  return writeText(lines, orBlankLine(text()));
};

/** Brackets around a value: DuckDB goes down each level by itself, and ends the process when its stack is full. */
const DEPTH_MAX = 100;

const objectText = (record: string): string => {
  if (depthOf(record) > DEPTH_MAX) {
    throw new JobError("unsupported_feature", `The JSON is nested deeper than ${DEPTH_MAX} levels.`);
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
    throw new Error(`The JSON has ${rows} records, but ${copied} arrived.`);
  }
};

/**
 * All records are looked at before their types are settled, and none is guessed from how often a field appears. No text
 * is taken for a date here, whose zone would be lost.
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
 * Texts that look like times or identifiers stay texts, and so does what is of several kinds. Parquet has no integers of
 * 128 bits, and DuckDB would write doubles.
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
      throw new JobError("unsupported_feature", `A record of the JSON has over ${RECORD_BYTES_MAX} bytes.`, {
        cause: error,
      });
    }
    if (/^Invalid Input Error/.test(message)) {
      const reason =
        /duplicate key "[^"]{0,100}"|at byte \d+ in line \d+[^\n]{0,100}/.exec(message)?.[0] ??
        "its records cannot be read";
      throw new JobError("source_corrupt", `The JSON is not valid: ${reason}.`, { cause: error });
    }
    throw error;
  }
};
