import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endWithParent, parentVariables } from "../../../functions/engines/core/watch-parent.ts";
import { isRunning, until } from "../support/processes/processes.ts";

test("a busy converter ends with its programs when its parent is killed", async () => {
  const parent = fork(join(import.meta.dirname, "../support/processes/busy-parent.ts"), [], { stdio: "ignore" });
  const [pids]: unknown[] = await once(parent, "message");
  const [converter, program] = (Array.isArray(pids) ? pids : []).map(Number);
  expect([converter, program].map((pid) => isRunning(pid ?? 0))).toEqual([true, true]);
  parent.kill("SIGKILL");
  await until(() => !isRunning(converter ?? 0) && !isRunning(program ?? 0));
});

test("a converter starts no thread to watch its parent if the sandbox ends it", () => {
  const threads = () => process.report.getReport() as { workers: unknown[] };
  const before = threads().workers.length;
  endWithParent(parentVariables(true));
  expect(threads().workers).toHaveLength(before);
  expect(parentVariables(false)).toEqual({});
});
