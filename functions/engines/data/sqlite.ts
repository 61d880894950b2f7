import type { Engine } from "../core/engine.ts";
import { fromSqlite } from "./sqlite/from-sqlite.ts";
import { intoSqlite } from "./sqlite/into-sqlite.ts";

/** SQLite with Node's built-in module: tables to CSV, JSON and NDJSON, and from CSV, TSV, JSON and NDJSON. */
export const sqliteEngine: Engine = {
  name: "sqlite",
  version: async () => process.versions.sqlite ?? "unknown",
  convert: (task) => (task.from === "sqlite" ? fromSqlite(task) : intoSqlite(task)),
};
