import { firstProcess } from "../../../../local/processes/first-process.ts";

/** Holds an idempotency key, ends when it is asked to, and reports nothing else. */

const first = firstProcess(process);
first.onStop(() => process.exit(0));
await first.call("hold", "key", String(process.pid), 0);
