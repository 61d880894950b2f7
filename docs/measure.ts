import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineIds } from "../functions/domain/engines.ts";
import { planRoutes, type Route } from "../functions/domain/routes.ts";
import { converterPool } from "../functions/engines/run.ts";
import { installedEngines } from "../local/engines.ts";
import { sampleFor } from "../test/engines/support/fixtures.ts";

/**
 * `npm run docs:times [-- --all]`: converts the sample of each pair that has no time yet three times in a warm process, and
 * writes the medians to `docs/times.json`, which `docs/formats.md` shows. All of them take some minutes. Every engine has
 * to be installed.
 */

const RUNS = 3;
const CONVERSION_MS_MAX = 60_000;

const path = join(import.meta.dirname, "times.json");
const known: Readonly<Record<string, number>> = process.argv.includes("--all")
  ? {}
  : JSON.parse(readFileSync(path, "utf8"));

const missing = engineIds.filter((id) => !installedEngines().has(id));
if (missing.length > 0) {
  throw new Error(`These engines are not installed: ${missing.join(", ")}.`);
}

const folder = await mkdtemp(join(tmpdir(), "anyform-times-"));
const pool = converterPool({ size: 1, entry: join(import.meta.dirname, "../functions/engines/converter.ts") });
let count = 0;

/** @returns milliseconds that the steps take together, in the median; a first run, which loads the engines, not counted */
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
  const times: Record<string, number> = {};
  for (const route of planRoutes(new Set(engineIds)).all) {
    const pair = `${route.from} ${route.to}`;
    times[pair] = known[pair] ?? (await timeOf(route));
  }
  await writeFile(path, `${JSON.stringify(times, undefined, 1)}\n`);
} finally {
  await pool.stop();
  await rm(folder, { recursive: true, force: true });
}
