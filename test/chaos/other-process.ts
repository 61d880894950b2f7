import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Another process with the database open: `node other-process.ts SQL MILLISECONDS` takes the write lock, runs the SQL,
 * keeps the lock for that time and prints how many rows it changed.
 */

const BUSY_MS_MAX = 200;

const [sql = "", milliseconds = "0"] = process.argv.slice(2);
const database = new DatabaseSync(join(process.env.DATA_DIR ?? "", "anyform.db"), { timeout: BUSY_MS_MAX });
database.exec("BEGIN IMMEDIATE");
const { changes } = sql === "" ? { changes: 0 } : database.prepare(sql).run();
await pause(Number(milliseconds));
database.exec("COMMIT");
database.close();
console.log(changes);
