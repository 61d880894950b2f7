import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning, until } from "./support/processes.ts";

test("a converter that is lost in its work ends when its parent is killed", async () => {
  const parent = fork(join(import.meta.dirname, "support/busy-parent.ts"), [], { stdio: "ignore" });
  const [pid] = await once(parent, "message");
  expect(isRunning(Number(pid))).toBe(true);
  parent.kill("SIGKILL");
  await until(() => !isRunning(Number(pid)));
});
