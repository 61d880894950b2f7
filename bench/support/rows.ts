import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Options } from "../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { type Pair, quantile } from "./figures.ts";
import { watched } from "./process-tree.ts";

/** Shared parts of the engine benchmarks: conversions in a warm pool, and table rows. */

export const HEADER = ["conversion", "first ms", "ours p50 ms", "bare p50 ms", "ratio", "bound", "CPU s each", "of"];
const CONVERSION_MS_MAX = 120_000;

export interface Bench {
  readonly folder: string;
  readonly pool: ConverterPool;
  /** Converts by the best route, or by the best route without some engines. */
  readonly convert: (
    input: readonly string[],
    pair: readonly [FormatId, FormatId],
    options?: ConvertOptions,
  ) => Promise<string>;
}

interface ConvertOptions {
  readonly options?: Options;
  readonly without?: readonly string[];
}

/** @returns conversions in the pool, each in a separate folder */
export const benchIn = (folder: string, pool: ConverterPool): Bench => {
  const engines = [...installedEngines().keys()];
  let count = 0;
  return {
    folder,
    pool,
    convert: async ([input = "", ...further], [from, to], { options = {}, without = [] } = {}) => {
      const routes = planRoutes(new Set(engines.filter((engine) => !without.includes(engine))));
      count += 1;
      const jobFolder = join(folder, `job-${count}`);
      await mkdir(jobFolder);
      const steps = routes.find(from, to)?.steps ?? [];
      const { output } = await pool.run(
        { input, further: further.map((path) => ({ path, from })), folder: jobFolder, steps, options },
        { timeoutMs: CONVERSION_MS_MAX },
      );
      return output;
    },
  };
};

/** @returns a row with the medians of both and their ratio to its bound, or a note that the tool is missing */
export const row = async (
  name: string,
  time: () => Promise<Pair>,
  { bound, of }: { readonly bound: number; readonly of: string },
): Promise<string[]> => {
  try {
    const { result, usage } = await watched(process.pid, time);
    const [ours, bare] = [quantile(result.ours, 0.5), quantile(result.bare, 0.5)];
    const each = usage.cpuSeconds / (result.ours.length + result.bare.length);
    const ratio = ours / bare;
    return [
      name,
      result.coldMs.toFixed(0),
      ours.toFixed(0),
      bare.toFixed(0),
      `${ratio.toFixed(2)} ×`,
      bounded(ratio, bound, "×"),
      each.toFixed(1),
      of,
    ];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return missing(name, of);
    }
    throw error;
  }
};

export const missing = (name: string, tool: string): string[] => [
  ...[name, "", "", "", "", "", ""],
  `${tool} is not installed`,
];

/** @returns the cell of a bound. A missed one is marked, and the benchmark exits with 1. */
export const bounded = (value: number, bound: number, unit: string): string => {
  const isMet = value <= bound;
  process.exitCode = isMet ? process.exitCode : 1;
  return `≤ ${bound} ${unit}${isMet ? "" : " missed"}`;
};
