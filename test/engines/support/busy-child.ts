import { endWithParent } from "../../../functions/engines/watch-parent.ts";

/** A converter whose engine never comes back. */
endWithParent();
process.send?.(process.pid);
setTimeout(() => {
  for (;;) {
    // Nothing else of this thread runs from here on.
  }
}, 200);
