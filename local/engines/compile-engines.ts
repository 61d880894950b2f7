import { engines } from "../../functions/engines/index.ts";

/** Loads the converter's program and all engines, to fill Node's compile cache: see `compiled-engines.ts`. */

await import("../../functions/engines/core/converter.ts");
// A package of an optional engine may be missing.
await Promise.allSettled(Object.values(engines).map((load) => load()));
process.exit();
