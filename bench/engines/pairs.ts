import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { planRoutes, type Route } from "../../functions/domain/conversions/plan.ts";
import { converterPool } from "../../functions/engines/core/run.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { sampleFor } from "../../test/engines/support/fixtures.ts";
import { printTable } from "../support/figures.ts";

/**
 * `node bench pairs [--only png]`: converts the fixture of each pair three times in a warm process, and prints the medians,
 * slowest first. All of them take some minutes.
 */

const RUNS = 3;
const CONVERSION_MS_MAX = 60_000;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const folder = await mkdtemp(join(tmpdir(), "anyform-pairs-"));
const pool = converterPool({ size: 1, entry: join(import.meta.dirname, "../../functions/engines/core/converter.ts") });
let count = 0;

/** @returns the median total of all steps in milliseconds, without the first run, which loads the engines */
const timeOf = async ({ from, to, steps }: Route): Promise<number> => {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    count += 1;
    const place = join(folder, String(count));
    await mkdir(place);
    const task = { input: sampleFor(from, to), folder: place, steps, options: {} };
    const { timings } = await pool.run(task, { timeoutMs: CONVERSION_MS_MAX });
    times.push(timings.reduce((sum, { durationMs }) => sum + durationMs, 0));
    await rm(place, { recursive: true });
  }
  return times.slice(1).toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
};

try {
  const all = planRoutes(new Set(installedEngines().keys())).all;
  const routes = all.filter(({ from, to }) => values.only === undefined || values.only === from || values.only === to);
  const rows: { readonly pair: string; readonly steps: string; readonly ms: number }[] = [];
  for (const route of routes) {
    const steps = route.steps.map(({ engine }) => engine).join(", ");
    rows.push({ pair: `${route.from} → ${route.to}`, steps, ms: await timeOf(route) });
  }
  const sorted = rows.toSorted((one, other) => other.ms - one.ms);
  printTable([["pair", "engines", "ms"], ...sorted.map(({ pair, steps, ms }) => [pair, steps, String(ms)])]);
} finally {
  await pool.stop();
  await rm(folder, { recursive: true, force: true });
}
