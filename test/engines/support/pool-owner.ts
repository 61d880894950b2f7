import { join } from "node:path";
import { converterPool } from "../../../functions/engines/run.ts";
import { childrenOf } from "./processes.ts";

/** A process that owns a pool: converts once, tells the converter's id, and then waits to be killed if it is told to. */

const [input = "", folder = "", wait] = process.argv.slice(2);
const pool = converterPool({ size: 1, entry: join(import.meta.dirname, "../../../functions/engines/converter.ts") });
const steps = [{ engine: "sharp", from: "png", to: "jpg", options: [] }] as const;
await pool.run({ input, folder, steps, options: {} }, { timeoutMs: 30_000 });
console.log(JSON.stringify(childrenOf()));
if (wait === "wait") {
  setInterval(() => {}, 1_000);
}
