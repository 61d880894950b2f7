import type { FormatId } from "../domain/formats.ts";
import { fromCsv } from "./duckdb/from-csv.ts";
import { fromJson } from "./duckdb/from-json.ts";
import { fromParquet } from "./duckdb/from-parquet.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";

/** Parquet by DuckDB: CSV, TSV, JSON and NDJSON into it, and it into them. */
export const duckdbEngine: Engine = {
  name: "duckdb",
  version: async () => (await import("@duckdb/node-api")).version(),
  convert: (task) => {
    const read = READERS[task.from];
    if (read === undefined) {
      throw new TypeError(`duckdb does not read ${task.from}.`);
    }
    return read(task);
  },
};

const READERS: Partial<Record<FormatId, (task: EngineTask) => Promise<EngineResult>>> = {
  csv: fromCsv,
  tsv: fromCsv,
  json: fromJson,
  ndjson: fromJson,
  parquet: fromParquet,
};
