import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A converter whose input name selects its behavior, for tests of the pool. */

const answers: Readonly<Record<string, (folder: string) => unknown>> = {
  "another file": () => ({ result: { output: "/etc/hostname", bundled: false, timings: [], warnings: [] } }),
  "unknown code": () => ({ error: { code: "made_up", detail: "", cause: "" } }),
  nonsense: () => "nonsense",
  "a scan": () => ({ helperNeeded: true }),
  "a child": (folder) => {
    const child = spawn("sleep", ["600"], { stdio: "ignore" });
    writeFileSync(join(folder, "child"), String(child.pid));
    return undefined;
  },
  abort: () => process.abort(),
  throw: () => {
    throw new Error("the reason for the log");
  },
};

process.on("message", (task: { input: string; folder: string }) => {
  const answer = answers[task.input]?.(task.folder);
  if (answer !== undefined) {
    process.send?.(answer);
  }
});
process.on("disconnect", () => process.exit());
