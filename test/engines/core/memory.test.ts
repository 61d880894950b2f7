import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { groupBytes, residentBytes } from "../../../functions/engines/core/memory.ts";
import { isRunning, until } from "../support/processes/processes.ts";

const MB = 1_000_000;

/** Fills memory, sends a message, and waits. */
const holding = (megabytes: number, then = ""): string =>
  `const held = Buffer.alloc(${megabytes * MB}, 1); ${then} process.send?.(held.length); setInterval(() => held, 1000);`;

/** Starts a child in its own group, which starts one more. */
const PARENT = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", process.argv[1]], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  child.once("message", () => process.send(child.pid));
  setInterval(() => {}, 1000);
`;

const hasProc = existsSync("/proc/self/statm");

test.runIf(hasProc)("counts the memory of a group's leader and of everything it started", async () => {
  const parent = spawn(process.execPath, ["-e", PARENT, holding(200)], {
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const child = await new Promise<number>((resolve) => parent.once("message", (pid) => resolve(Number(pid))));
  const leader = parent.pid ?? 0;
  expect(residentBytes(child)).toBeGreaterThan(200 * MB);
  expect(residentBytes(leader)).toBeLessThan(200 * MB);
  expect(groupBytes(leader)).toBeGreaterThan(residentBytes(leader) + 190 * MB);
  process.kill(-leader, "SIGKILL");
  await until(() => !isRunning(child) && !isRunning(leader));
  expect(groupBytes(leader)).toBe(0);
});

test("reports no memory for a missing process", () => {
  expect([residentBytes(undefined), groupBytes(undefined), residentBytes(2 ** 30)]).toEqual([0, 0, 0]);
});
