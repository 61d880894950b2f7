import { join } from "node:path";
import { DELIMITER } from "../../../domain/conversions/by-engine/data/csv-rules.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { readElements } from "../json/elements.ts";
import { jsonText } from "../json/writer.ts";
import { writeText } from "../text/chunks.ts";
import { orCorrupt } from "./parquet-errors.ts";
import { literal, quoted, type Session, withSession } from "./session.ts";

/** Parquet to CSV, TSV, JSON and NDJSON. */
export const fromParquet = (task: EngineTask): Promise<EngineResult> =>
  withSession(task, async (session) => {
    const { columns, rows } = await orCorrupt(describe(session, task.input));
    const json = task.to === "json" || task.to === "ndjson";
    if (task.to === "ndjson" && rows === 0) {
      // A file without records must not be empty.
      await writeText(task.output, ["\n"]);
      return { warnings: [] };
    }
    const select = await Promise.all(columns.map((column) => selected(session, task, { column, json })));
    const target = task.to === "json" ? join(task.folder, "records.ndjson") : task.output;
    const sql = `COPY (SELECT ${select.join(", ")} FROM ${sourceOf(task.input)}) TO ${literal(target)} ${formatOf(task)}`;
    const copied = await orCorrupt(session.copy(sql, task.progress));
    if (copied !== rows) {
      throw new Error(`The Parquet file has ${rows} rows, but ${copied} were copied.`);
    }
    if (task.to === "json") {
      const records = () => readElements(target, "sequence");
      await writeText(task.output, jsonText([{ name: "", records }], task.options.indent));
    }
    return { warnings: warningsOf(columns) };
  });

interface ParquetColumn {
  readonly name: string;
  readonly type: string;
}

const sourceOf = (path: string): string => `read_parquet(${literal(path)}, binary_as_string = false)`;

const describe = async (session: Session, path: string) => {
  const described = await session.rows(`DESCRIBE SELECT * FROM ${sourceOf(path)}`);
  const columns = described.map(([name, type]): ParquetColumn => ({ name: String(name), type: String(type) }));
  const counted = await session.rows(`SELECT sum(num_rows)::VARCHAR FROM parquet_file_metadata(${literal(path)})`);
  return {
    columns: await Promise.all(columns.map((column) => detected(session, path, column))),
    rows: Number(counted[0]?.[0] ?? 0),
  };
};

/** Some programs write text without marking it as text: byte columns that are valid UTF-8 are read as text. */
const detected = async (session: Session, path: string, column: ParquetColumn): Promise<ParquetColumn> => {
  if (column.type !== "BLOB") {
    return column;
  }
  const name = quoted(column.name);
  const odd = `SELECT 1 FROM ${sourceOf(path)} WHERE ${name} IS NOT NULL AND try(decode(${name})) IS NULL LIMIT 1`;
  return (await session.rows(odd)).length === 0 ? { ...column, type: "TEXT" } : column;
};

const formatOf = ({ to, options }: EngineTask): string => {
  if (to === "json" || to === "ndjson") {
    return "(FORMAT json)";
  }
  const delimiter = to === "tsv" ? "\t" : (options.delimiter ?? DELIMITER);
  return `(FORMAT csv, HEADER true, DELIMITER ${literal(delimiter)})`;
};

interface Selection {
  readonly column: ParquetColumn;
  readonly json: boolean;
}

const NESTED = /[([]|^(?:STRUCT|MAP|UNION|JSON)/;
const INTEGER = /^U?(?:BIG|HUGE)INT$/;
const FLOATING = /^(?:DOUBLE|FLOAT)$/;

/** @returns the expression that writes a column as text or JSON */
const selected = async (session: Session, { input }: EngineTask, { column, json }: Selection): Promise<string> => {
  const name = quoted(column.name);
  const { type } = column;
  const is = (expression: string): string => `${expression} AS ${name}`;
  if (type === "BLOB") {
    return is(`to_base64(${name})`);
  }
  if (type === "TEXT") {
    return is(`decode(${name})`);
  }
  if (type === "TIMESTAMP WITH TIME ZONE") {
    return is(`replace(replace(${name}::VARCHAR, ' ', 'T'), '+00', 'Z')`);
  }
  if (type.startsWith("TIMESTAMP")) {
    return is(`replace(${name}::VARCHAR, ' ', 'T')`);
  }
  if (!json) {
    return is(NESTED.test(type) && !type.startsWith("DECIMAL") ? `to_json(${name})::VARCHAR` : name);
  }
  const odd = INTEGER.test(type) ? beyond(name) : FLOATING.test(type) ? `NOT isfinite(${name})` : undefined;
  const found = odd && (await session.rows(`SELECT 1 FROM ${sourceOf(input)} WHERE ${odd} LIMIT 1`));
  return is(found === undefined || found.length === 0 ? name : INTEGER.test(type) ? `${name}::VARCHAR` : orText(name));
};

/**
 * JSON parsers read integers as doubles: a column with an integer that a double cannot represent is written as text.
 */
const beyond = (name: string): string => `abs(${name}::DOUBLE) > ${Number.MAX_SAFE_INTEGER}`;

/** JSON has no numbers for `NaN` and the infinities. */
const orText = (name: string): string =>
  `CASE WHEN isfinite(${name}) THEN to_json(${name}) ELSE to_json(${name}::VARCHAR) END`;

const warningsOf = (columns: readonly ParquetColumn[]): Warning[] => {
  const blobs = columns.filter(({ type }) => type === "BLOB").map(({ name }) => name);
  const detail = `Binary columns are written as Base64: ${blobs.join(", ").slice(0, 500)}.`;
  return blobs.length === 0 ? [] : [{ code: "bytes_as_base64", detail }];
};
