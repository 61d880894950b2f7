import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fallbackRoute, routes } from "../functions/api/routes.ts";
import { bundleInto } from "../infra/bundle.ts";
import { printTable, quantile } from "./figures.ts";

/**
 * `npm run bench:imports`: what a cold start of each operation costs before its first request, as CPU time of importing
 * its bundle in a new process. The floor is the import of an empty file.
 */

const RUNS = 9;

/** Prints the microseconds of CPU that a require takes. */
const PROBE =
  "const a=process.cpuUsage();require(process.argv[1]);const b=process.cpuUsage(a);console.log(b.user+b.system)";

const milliseconds = (file: string): number[] =>
  Array.from({ length: RUNS }, () => {
    const env = { PATH: process.env.PATH, AWS_REGION: "us-east-1" };
    return Number(execFileSync(process.execPath, ["-e", PROBE, file], { env, encoding: "utf8" })) / 1_000;
  });

const folder = mkdtempSync(join(tmpdir(), "anyform-imports-"));
try {
  await bundleInto(folder);
  const rows = [...routes, fallbackRoute].map(({ operation, file }) => {
    const path = join(folder, file, "index.js");
    const times = milliseconds(path);
    const cells = [Math.min(...times), quantile(times, 0.5)].map((value) => value.toFixed(0));
    return [operation, (statSync(path).size / 1_000).toFixed(0), ...cells, "≤ 90"];
  });
  printTable([["operation", "kB", "min CPU ms", "median", "bound"], ...rows]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
