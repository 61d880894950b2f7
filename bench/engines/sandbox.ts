import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RouteStep } from "../../functions/domain/conversions/plan.ts";
import { type ConverterPool, converterPool } from "../../functions/engines/core/run.ts";
import { chooseEnclosure } from "../../functions/engines/core/sandbox/choose.ts";
import { type Enclosure, enclosures } from "../../functions/engines/core/sandbox/enclosure.ts";
import { scrubbedEnvironment } from "../../functions/engines/core/sandbox/environment.ts";

/**
 * Overhead of the sandbox: `node bench sandbox`. Measures the first conversion of a process, including its start, and
 * later ones. The sandboxes are interleaved, so that other load affects them equally.
 */

const ROUNDS = 15;
const WARM = 200;
const PARALLEL_MS_MAX = 60_000;

const entry = join(import.meta.dirname, "../../functions/engines/core/converter.ts");
const input = join(import.meta.dirname, "../../test/fixtures/sample.png");
const steps: readonly RouteStep[] = [{ engine: "sharp", from: "png", to: "jpg", options: [] }];
const scratchFolder = mkdtempSync(join(tmpdir(), "anyform-sandbox-"));

const convert = async (pool: ConverterPool): Promise<number> => {
  const folder = mkdtempSync(join(scratchFolder, "job-"));
  const started = performance.now();
  await pool.run({ input, folder, steps, options: {} }, { timeoutMs: PARALLEL_MS_MAX });
  const milliseconds = performance.now() - started;
  rmSync(folder, { recursive: true });
  return milliseconds;
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

interface Row {
  readonly enclosure: Enclosure;
  readonly first: number[];
  readonly warm: number[];
}

const round = async ({ enclosure, first, warm }: Row): Promise<void> => {
  const pool = converterPool({ size: 1, entry, enclosure, scratchFolder });
  first.push(await convert(pool));
  for (let run = 0; run < WARM / ROUNDS; run += 1) {
    warm.push(await convert(pool));
  }
  await pool.stop();
};

const available = async (): Promise<Enclosure[]> => {
  const surroundings = { scratchFolder, entry, environment: scrubbedEnvironment("/tmp") };
  const found = await Promise.all(enclosures.map((each) => chooseEnclosure("auto", surroundings, [each])));
  return enclosures.filter((_, index) => found[index]?.refused.length === 0);
};

mkdirSync(scratchFolder, { recursive: true });
try {
  const rows = (await available()).map((enclosure): Row => ({ enclosure, first: [], warm: [] }));
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const row of rows) {
      await round(row);
    }
  }
  const [base] = rows.filter(({ enclosure }) => enclosure.depth === 0);
  console.table(
    rows.map(({ enclosure, first, warm }) => ({
      sandbox: `${enclosure.name}: ${enclosure.protections.join(", ")}`,
      "first, ms": Math.round(median(first)),
      "ratio ": (median(first) / median(base?.first ?? [])).toFixed(2),
      "next, ms": median(warm).toFixed(2),
      ratio: (median(warm) / median(base?.warm ?? [])).toFixed(2),
    })),
  );
} finally {
  rmSync(scratchFolder, { recursive: true, force: true });
}
