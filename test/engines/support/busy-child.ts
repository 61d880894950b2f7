import { spawn } from "node:child_process";
import { endWithParent } from "../../../functions/engines/watch-parent.ts";

/** A converter whose engine has started a program and never comes back. */
endWithParent();
const program = spawn("sleep", ["60"], { stdio: "ignore" });
process.send?.([process.pid, program.pid]);
setTimeout(() => {
  for (;;) {
    // Nothing else of this thread runs from here on.
  }
}, 200);
