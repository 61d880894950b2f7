import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { conversionLimits, type LaneId } from "../../functions/domain/conversions/lanes.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { laneOfJob } from "../../functions/domain/jobs/job-lane.ts";
import { converterPool } from "../../functions/engines/core/run.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { sampleFor } from "../../test/engines/support/fixtures.ts";
import { watched } from "../support/process-tree.ts";

/** Resource usage of typical conversions of each family, in a warm converter process. */

/** A representative conversion. */
export interface Typical {
  readonly family: string;
  readonly pair: readonly [FormatId, FormatId];
  /** @default the small fixture of the format: a lower bound */
  readonly input?: string;
}

export interface Measured extends Typical {
  readonly lane: LaneId;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Mean wall-clock and CPU seconds of one conversion. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak memory of the converter and its programs. */
  readonly memoryBytes: number;
}

const RUNS = 3;

/** @returns the measurements; conversions without installed engines are omitted */
export const measure = async (folder: string, typical: readonly Typical[]): Promise<Measured[]> => {
  const routes = planRoutes(new Set(installedEngines().keys()));
  const entry = join(import.meta.dirname, "../../functions/engines/core/converter.ts");
  const measured: Measured[] = [];
  for (const [index, each] of typical.entries()) {
    const route = routes.find(...each.pair);
    if (route === undefined) {
      continue;
    }
    // A separate process for each, so that the memory peaks are separate too.
    const pool = converterPool({ size: 1, entry });
    const input = each.input ?? sampleFor(...each.pair);
    const { size: inputBytes } = await stat(input);
    const lane = laneOfJob(route, inputBytes);
    const convert = async (run: number): Promise<string> => {
      const place = join(folder, `${index}-${run}`);
      await mkdir(place);
      const task = { input, folder: place, steps: route.steps, options: {} };
      return (await pool.run(task, conversionLimits(lane))).output;
    };
    try {
      await convert(0);
      const start = performance.now();
      const { result, usage } = await watched(process.pid, async () => {
        let output = "";
        for (let run = 1; run <= RUNS; run += 1) {
          output = await convert(run);
        }
        return output;
      });
      measured.push({
        ...each,
        lane,
        inputBytes,
        outputBytes: (await stat(result)).size,
        seconds: (performance.now() - start) / 1_000 / RUNS,
        cpuSeconds: usage.cpuSeconds / RUNS,
        memoryBytes: usage.memoryBytes - process.memoryUsage.rss(),
      });
    } finally {
      await pool.stop();
    }
  }
  return measured;
};
