import type { FormatId } from "../../domain/formats/formats.ts";
import { type Engine, type EngineResult, type EngineTask, rowFor } from "../core/engine.ts";
import { fromDbf } from "./text-tables/dbf.ts";
import { fromCsv } from "./text-tables/from-csv.ts";
import { fromJson } from "./text-tables/from-json.ts";
import { mergeTables } from "./text-tables/merge.ts";

/**
 * Converts text tables (CSV, TSV, JSON, NDJSON) to each other, and DBF to them, as streams and without a library: every
 * value keeps its digits and characters, and irregular rows are preserved.
 */
export const textTablesEngine: Engine = {
  name: "text-tables",
  version: async () => process.versions.node,
  convert: (task) => (task.further.length > 0 ? mergeTables(task) : rowFor(READERS, task.from, "text-tables")(task)),
};

const READERS: Partial<Record<FormatId, (task: EngineTask) => Promise<EngineResult>>> = {
  csv: fromCsv,
  tsv: fromCsv,
  json: fromJson,
  ndjson: fromJson,
  dbf: fromDbf,
};
