import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ARROW_BYTES_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { FormatId } from "../../domain/formats/formats.ts";
import { type Engine, type EngineResult, type EngineTask, packageVersion, rowFor } from "../core/engine.ts";
import { checkInput } from "../core/input.ts";
import { arrowToParquet } from "./arrow/read.ts";
import { parquetToArrow } from "./arrow/write.ts";
import { fromCsv } from "./duckdb/from-csv.ts";
import { fromJson } from "./duckdb/from-json.ts";
import { fromParquet } from "./duckdb/from-parquet.ts";
import { orCorrupt } from "./duckdb/parquet-errors.ts";
import { withSession } from "./duckdb/session.ts";

/** Arrow (Feather) files from and to Parquet, CSV, TSV, JSON and NDJSON, by way of a Parquet file in DuckDB. */
export const arrowEngine: Engine = {
  name: "arrow",
  version: async () => packageVersion("apache-arrow"),
  convert: (task) => (task.from === "arrow" ? fromArrow(task) : toArrow(task)),
};

const fromArrow = async (task: EngineTask): Promise<EngineResult> => {
  await checkInput(task.input, { max: ARROW_BYTES_MAX, name: "Arrow file" });
  const parquet = task.to === "parquet" ? task.output : join(task.folder, PARQUET);
  await withSession(task, (session) => arrowToParquet(session, task, parquet));
  return task.to === "parquet" ? { warnings: [] } : fromParquet({ ...task, input: parquet, from: "parquet" });
};

const toArrow = async (task: EngineTask): Promise<EngineResult> => {
  if (task.from === "parquet") {
    await orCorrupt(write(task, task.input));
    return { warnings: [] };
  }
  const output = join(task.folder, PARQUET);
  const { warnings, parts } = await rowFor(TO_PARQUET, task.from, "arrow")({ ...task, output, to: "parquet" });
  if (parts === undefined) {
    await write(task, output);
    return { warnings };
  }
  const written = await Promise.all(
    parts.map(async ({ path, name }) => {
      const own = `${path}.arrow`;
      await write({ ...task, output: own }, path);
      await rm(path);
      return { path: own, name };
    }),
  );
  return { warnings, parts: written };
};

const PARQUET = "table.parquet";

const TO_PARQUET: Partial<Record<FormatId, (task: EngineTask) => Promise<EngineResult>>> = {
  csv: fromCsv,
  tsv: fromCsv,
  json: fromJson,
  ndjson: fromJson,
};

const write = (task: EngineTask, parquet: string): Promise<number> =>
  withSession({ ...task, input: parquet }, (session) => parquetToArrow(session, parquet, task.output));
