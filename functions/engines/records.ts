import type { FormatId } from "../domain/formats.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";
import { fromDbf } from "./records/dbf.ts";
import { fromCsv } from "./records/from-csv.ts";
import { fromJson } from "./records/from-json.ts";

/**
 * Tables that are text (CSV, TSV, JSON, NDJSON) into each other, and DBF into them, by code of our own that streams: a
 * value arrives with every digit and letter that it had, and a row that is odd arrives like the others.
 */
export const recordsEngine: Engine = {
  name: "records",
  version: async () => process.versions.node,
  convert: (task) => {
    const read = READERS[task.from];
    if (read === undefined) {
      throw new TypeError(`records does not read ${task.from}.`);
    }
    return read(task);
  },
};

const READERS: Partial<Record<FormatId, (task: EngineTask) => Promise<EngineResult>>> = {
  csv: fromCsv,
  tsv: fromCsv,
  json: fromJson,
  ndjson: fromJson,
  dbf: fromDbf,
};
