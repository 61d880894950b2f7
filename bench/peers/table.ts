import { quantile } from "../support/figures.ts";
import type { Figures } from "./rounds.ts";

/** The results of all scenarios as one Markdown table. */

/** @returns rows of cells as a Markdown table; the first row is the header */
export const markdown = ([header = [], ...rows]: readonly (readonly string[])[]): string =>
  [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

export const HEADER = [
  ...["scenario", "system", "done/failed", "× floor", "range", "p50 ms", "p95 ms", "first ms", "CPU ms each"],
];

/** @returns one row per system, with the median and the range of its ratios to the floor */
export const rowsOf = (scenario: string, figures: readonly Figures[]): string[][] =>
  figures.map(({ name, times, failed, ratios, coldMs, cpuSeconds }, index) => [
    index === 0 ? scenario : "",
    name,
    `${times.length}/${failed}`,
    quantile(ratios, 0.5).toFixed(2),
    `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.95).toFixed(1),
    coldMs.toFixed(0),
    (1_000 * cpuSeconds).toFixed(1),
  ]);
