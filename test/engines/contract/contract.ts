import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Fidelity } from "../../../functions/domain/conversion.ts";
import { detectFormat } from "../../../functions/domain/detect.ts";
import type { Family } from "../../../functions/domain/format.ts";
import { extensionOf, type FormatId, formatOf } from "../../../functions/domain/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { planRoutes } from "../../../functions/domain/routes.ts";
import { converterPool } from "../../../functions/engines/run.ts";
import { installedEngines } from "../../../local/engines.ts";
import { sampleFor } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";

/** A result of a conversion, for a check to open with another tool than the one that made it. */
export interface Result {
  readonly path: string;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly fidelity: Fidelity;
  /** Whether it is a zip of several files of the target. */
  readonly bundled: boolean;
  /** Codes of the warnings. */
  readonly codes: readonly string[];
  /** The engine that made it. */
  readonly engine: string;
}

/** Fails when the result does not mean what the sample of its source does. */
export type Check = (result: Result) => Promise<void> | void;

/** What holds the results of a family to their meaning, by the format that was asked for. */
export type Checks = Partial<Record<FormatId, Check>>;

const routes = planRoutes(new Set(installedEngines().keys()));

/** Milliseconds of one conversion of a sample, all of which are small. */
const CONVERSION_MS_MAX = 50_000;

/** Every listed pair whose target is of the family, converted from the sample of its source as a job does it. */
export const contract = (family: Family, checks: Checks): void => {
  const pairs = routes.all.filter(({ to }) => formatOf(to).family === family);
  const scratch = scratchFolder();
  const pool = converterPool({
    size: 1,
    entry: join(import.meta.dirname, "../../../functions/engines/converter.ts"),
  });
  const results: { pair: string; steps: string; ms: number; ok: boolean }[] = [];
  afterAll(async () => {
    await pool.stop();
    const passed = results.filter(({ ok }) => ok).length;
    console.log(`${family}: ${passed} of ${pairs.length} conversions keep their promise.`);
  });

  describe.each(pairs)("$from → $to", ({ from, to, steps, fidelity }) => {
    test(`a ${from} becomes a ${to} that means the same`, async () => {
      const row = { pair: `${from} → ${to}`, steps: steps.map(({ engine }) => engine).join(" → "), ms: 0, ok: false };
      results.push(row);
      const folder = mkdtempSync(join(scratch.folder, "job-"));
      const { output, bundled, warnings, timings } = await pool.run(
        { input: sampleFor(from, to), folder, steps, options: {} },
        { timeoutMs: CONVERSION_MS_MAX },
      );
      row.ms = timings.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const bytes = readFileSync(output);
      expect(
        detectFormat(bytes.subarray(0, DETECTION_BYTES), {
          tail: bytes.subarray(-DETECTION_BYTES),
          filename: `result.${bundled ? "zip" : extensionOf(to)}`,
        }),
        "the result is told from its bytes",
      ).toBe(bundled ? "zip" : to);
      const check = checks[to];
      if (check === undefined) {
        throw new Error(`Nothing looks at results in ${to}: add a check.`);
      }
      const codes = warnings.map(({ code }) => code);
      await check({ path: output, from, to, fidelity, bundled, codes, engine: steps.at(-1)?.engine ?? "" });
      row.ok = true;
    });
  });
};
