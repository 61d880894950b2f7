import { spawn } from "node:child_process";
import { endWithParent } from "../../../../functions/engines/core/watch-parent.ts";

/** A converter whose engine has started a program and never returns. */
endWithParent();
const program = spawn("sleep", ["60"], { stdio: "ignore" });
process.send?.([process.pid, program.pid]);
setTimeout(() => {
  for (;;) {
    // Nothing else runs in this thread from here on.
  }
}, 200);
