import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import type { Fidelity } from "../../../functions/domain/conversions/conversion.ts";
import { runScripts } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes, type RouteStep } from "../../../functions/domain/conversions/plan.ts";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { Family } from "../../../functions/domain/formats/format.ts";
import { extensionOf, type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { codeOf } from "../support/convert.ts";
import { sampleFor } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { sandboxedPool } from "../support/site.ts";

/** A conversion result, which a check opens with a different tool than the one that wrote it. */
export interface Result {
  readonly path: string;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly fidelity: Fidelity;
  /** Whether it is a zip of several files in the target format. */
  readonly bundled: boolean;
  /** Codes of the warnings. */
  readonly codes: readonly string[];
  /** The engine that wrote it. */
  readonly engine: string;
}

/** Fails if the result does not have the same content as the sample of its source. */
export type Check = (result: Result) => Promise<void> | void;

/** Content checks of a family, by target format. */
export type Checks = Partial<Record<FormatId, Check>>;

const routes = planRoutes(new Set(installedEngines().keys()));

/** Timeout of one conversion in milliseconds; all samples are small. */
const CONVERSION_MS_MAX = 150_000;

/** The pairs of this run: all, or those that a change may affect (`test/selection`). */
const selected = new Set(inject("contractPairs"));

/** Converts the sample of the source for every listed pair with a target in the family, as a job does. */
export const contract = (family: Family, checks: Checks): void => {
  const pairs = routes.all.filter(({ from, to }) => formatOf(to).family === family && selected.has(`${from} ${to}`));
  const scratch = scratchFolder();
  const pool = converterPool({
    size: 1,
    entry: join(import.meta.dirname, "../../../functions/engines/core/converter.ts"),
  });
  /** For engines that run scripts; they need the sandbox. */
  let sandboxed: ConverterPool | undefined;
  const poolFor = async (steps: readonly RouteStep[]): Promise<ConverterPool | undefined> => {
    if (!runScripts(steps.map(({ engine }) => engine))) {
      return pool;
    }
    sandboxed ??= await sandboxedPool(scratch);
    return sandboxed;
  };
  const results: { pair: string; steps: string; ms: number; ok: boolean }[] = [];
  afterAll(async () => {
    await Promise.all([pool.stop(), sandboxed?.stop()]);
    const passed = results.filter(({ ok }) => ok).length;
    console.log(`${family}: ${passed} of ${pairs.length} conversions passed.`);
  });

  describe.each(pairs)("$from → $to", ({ from, to, steps, fidelity }) => {
    test(`converts ${from} to ${to} with the same content`, async ({ skip }) => {
      const converters = (await poolFor(steps)) ?? skip("No sandbox is available.");
      const row = { pair: `${from} → ${to}`, steps: steps.map(({ engine }) => engine).join(" → "), ms: 0, ok: false };
      results.push(row);
      const folder = mkdtempSync(join(scratch.folder, "job-"));
      const running = converters.run(
        { input: sampleFor(from, to), folder, steps, options: {} },
        { timeoutMs: CONVERSION_MS_MAX },
      );
      if (formatOf(from).family === "image" && family === "spreadsheet") {
        // The sample picture contains no text. Pictures of tables are converted in test/engines/pdf.
        expect(await codeOf(running)).toBe("unsupported_feature");
        row.ok = true;
        return;
      }
      const { output, bundled, warnings, timings } = await running;
      row.ms = timings.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const bytes = readFileSync(output);
      expect(
        detectFormat(bytes.subarray(0, DETECTION_BYTES), {
          tail: bytes.subarray(-DETECTION_BYTES),
          filename: `result.${bundled ? "zip" : extensionOf(to)}`,
        }),
        "format detected from the content of the result",
      ).toBe(bundled ? "zip" : to);
      const check = checks[to];
      if (check === undefined) {
        throw new Error(`No check for results in ${to}: add one.`);
      }
      const codes = warnings.map(({ code }) => code);
      await check({ path: output, from, to, fidelity, bundled, codes, engine: steps.at(-1)?.engine ?? "" });
      row.ok = true;
    });
  });
};
