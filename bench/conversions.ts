import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FormatId } from "../functions/domain/formats.ts";
import { laneOfJob } from "../functions/domain/job-lane.ts";
import { conversionLimits, type LaneId } from "../functions/domain/lanes.ts";
import { planRoutes } from "../functions/domain/routes.ts";
import { converterPool } from "../functions/engines/run.ts";
import { installedEngines } from "../local/engines.ts";
import { sampleFor } from "../test/engines/support/fixtures.ts";
import { watched } from "./process-tree.ts";

/** What typical conversions of each family take, in a warm converter process. */

/** One conversion that stands for others. */
export interface Typical {
  readonly family: string;
  readonly pair: readonly [FormatId, FormatId];
  /** @default the project's small fixture of the format: a floor */
  readonly input?: string;
}

export interface Measured extends Typical {
  readonly lane: LaneId;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** Seconds of the clock and of all processors, of one conversion in the mean. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak of the converter with its programs. */
  readonly memoryBytes: number;
}

const RUNS = 3;

/** @returns the figures of each; one whose engines are not installed is left out */
export const measure = async (folder: string, typical: readonly Typical[]): Promise<Measured[]> => {
  const routes = planRoutes(new Set(installedEngines().keys()));
  const entry = join(import.meta.dirname, "../functions/engines/converter.ts");
  const measured: Measured[] = [];
  for (const [index, each] of typical.entries()) {
    const route = routes.find(...each.pair);
    if (route === undefined) {
      continue;
    }
    // A process of its own for each, so that the peak of memory is its own, too.
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
