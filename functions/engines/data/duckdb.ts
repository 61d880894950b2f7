import type { FormatId } from "../../domain/formats/formats.ts";
import { type Engine, type EngineResult, type EngineTask, rowFor } from "../core/engine.ts";
import { fromCsv } from "./duckdb/from-csv.ts";
import { fromJson } from "./duckdb/from-json.ts";
import { fromParquet } from "./duckdb/from-parquet.ts";

/** Parquet with DuckDB: from and to CSV, TSV, JSON and NDJSON. */
export const duckdbEngine: Engine = {
  name: "duckdb",
  version: async () => (await import("@duckdb/node-api")).version(),
  convert: (task) => rowFor(READERS, task.from, "duckdb")(task),
};

const READERS: Partial<Record<FormatId, (task: EngineTask) => Promise<EngineResult>>> = {
  csv: fromCsv,
  tsv: fromCsv,
  json: fromJson,
  ndjson: fromJson,
  parquet: fromParquet,
};
