import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readInput } from "../../../../functions/engines/core/input-file.ts";
import { sendResult } from "../../../../functions/engines/core/result-socket.ts";

/** A converter whose input name, or the bytes of its input, select its behavior, for tests of the pool. */

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

const made = (outputBytes: number, bytes: string) => (): unknown => {
  process.send?.({ made: { outputBytes, timings: [], warnings: [] } });
  sendResult(Buffer.from(bytes));
  return undefined;
};

const answersToBytes: Readonly<Record<string, () => unknown>> = {
  exact: made(5, "exact"),
  "too many bytes": made(1, "1 and more"),
  "too few bytes": made(10, "few"),
  "a file": () => ({ result: { output: "/etc/hostname", bundled: false, timings: [], warnings: [] } }),
  "too large": () => ({ made: { outputBytes: 1e9, timings: [], warnings: [] } }),
};

process.on("message", (task: { input: string; folder: string } | { inputBytes: number }) => {
  const answer =
    "input" in task
      ? answers[task.input]?.(task.folder)
      : answersToBytes[readInput(task.inputBytes).toString("utf8")]?.();
  if (answer !== undefined) {
    process.send?.(answer);
  }
});
process.on("disconnect", () => process.exit());
