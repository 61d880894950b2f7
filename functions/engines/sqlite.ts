import type { Engine } from "./engine.ts";
import { fromSqlite } from "./sqlite/from-sqlite.ts";
import { intoSqlite } from "./sqlite/into-sqlite.ts";

/** SQLite by what Node has of it: tables out as CSV, JSON and NDJSON, and CSV, TSV, JSON and NDJSON in. */
export const sqliteEngine: Engine = {
  name: "sqlite",
  version: async () => process.versions.sqlite ?? "unknown",
  convert: (task) => (task.from === "sqlite" ? fromSqlite(task) : intoSqlite(task)),
};
