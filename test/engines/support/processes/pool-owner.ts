import { dirname, join } from "node:path";
import { converterPool } from "../../../../functions/engines/core/run.ts";
import { enclosures, limitsAlone } from "../../../../functions/engines/core/sandbox/enclosure.ts";
import { below } from "../../../../functions/engines/core/sandbox/tree.ts";
import { childrenOf } from "./processes.ts";

/** A process that owns a pool: converts once, prints the converter's ID, and then waits to be killed if requested. */

const [input = "", folder = "", wait, enclosureName] = process.argv.slice(2);
const entry = join(import.meta.dirname, "../../../../functions/engines/core/converter.ts");
const enclosure = enclosures.find(({ name }) => name === enclosureName) ?? limitsAlone;
const pool = converterPool({ size: 1, entry, enclosure, scratchFolder: dirname(folder) });
const steps = [{ engine: "sharp", from: "png", to: "jpg", options: [] }] as const;
await pool.run({ input, folder, steps, options: {} }, { timeoutMs: 30_000 });
console.log(JSON.stringify(childrenOf().flatMap((pid) => [pid, below(pid, enclosure.depth)])));
if (wait === "wait") {
  setInterval(() => {}, 1_000);
}
