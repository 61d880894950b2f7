import { fork } from "node:child_process";
import { join } from "node:path";

/** Starts a child in a separate process group, prints its ID and that of its program, and waits to be killed. */
const child = fork(join(import.meta.dirname, "busy-child.ts"), [], { detached: true, stdio: "ignore" });
child.once("message", (pids) => process.send?.(pids));
