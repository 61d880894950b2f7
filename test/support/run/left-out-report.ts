import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LEFT_OUT_FILE, type LeftOut } from "./left-out.ts";

/** Vitest calls `setup` before a run and `teardown` after it: skipped checks are collected and counted. */

const given = process.env[LEFT_OUT_FILE];
const path = given ?? join(mkdtempSync(join(tmpdir(), "anyform-left-out-")), "checks.jsonl");

export const setup = (): void => {
  process.env[LEFT_OUT_FILE] = path;
  writeFileSync(path, "");
};

export const teardown = (): void => {
  console.log(summaryOf(readLeftOut()));
  if (given === undefined) {
    rmSync(dirname(path), { recursive: true });
  }
};

/** @returns the skipped checks of a run */
const readLeftOut = (): readonly LeftOut[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** @returns one line: the number of skipped checks, and the missing tools with the number of checks of each */
const summaryOf = (leftOut: readonly LeftOut[]): string => {
  if (leftOut.length === 0) {
    return "No check was skipped: every comparison tool is installed.";
  }
  const tools = [...Map.groupBy(leftOut, ({ tool }) => tool)].map(([tool, checks]) => `${tool} (${checks.length})`);
  return `${leftOut.length} checks skipped, because these comparison tools are not installed: ${tools.sort().join(", ")}.`;
};
