import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";

/**
 * Preloaded into a process whose clock jumps: `Date.now` differs from the machine's clock by the milliseconds (positive
 * or negative) in the file `CHAOS_CLOCK`. Timers keep the machine's pace, as they do when an operator sets the clock.
 */

const LOOK_MS = 50;
/** Milliseconds after which most of a service's modules are loaded. */
const COMPILED_MS = 3_000;

const path = process.env.CHAOS_CLOCK ?? "";
const machine = Date.now.bind(Date);
let aheadMs = 0;

const look = (): void => {
  aheadMs = Number(readFileSync(path, "utf8")) || 0;
};

look();
setInterval(look, LOOK_MS).unref();
// Otherwise it is written when a process exits, and these are killed: each start would compile everything again.
setTimeout(flushCompileCache, COMPILED_MS).unref();
Date.now = () => machine() + aheadMs;
