import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { type EngineCount, STATUS_SECONDS } from "./engine-days.ts";

const share = (description: string) =>
  described(z.number().check(z.minimum(0), z.maximum(1)), `${description} From 0 to 1.`);
const milliseconds = (description: string) =>
  described(z.nullable(z.int().check(z.minimum(0))), `${description} \`null\` without conversions.`);

const success = "Share of conversions that the service did not fail.";

const statusDaySchema = z.strictObject({
  date: described(z.string(), "The UTC day, `YYYY-MM-DD`."),
  success: share(success),
  median_ms: milliseconds("Median duration of a step with the engine."),
});

const engineStatusSchema = z.strictObject({
  engine: described(z.string(), "The engine."),
  success: share(`${success} All days together.`),
  median_ms: milliseconds("Median duration of a step with the engine."),
  p95_ms: milliseconds("Duration that 95% of the steps do not exceed."),
  days: described(z.array(statusDaySchema), "The days with conversions, oldest first."),
});

export const statusSchema = described(
  z.strictObject({
    from: described(z.string(), "The first UTC day."),
    to: described(z.string(), "Today in UTC."),
    engines: described(z.array(engineStatusSchema), "The engines that were used, by name."),
  }),
  "Success and latency of the engines per day. Failures because of the file do not count.",
);

export type StatusView = z.output<typeof statusSchema>;
type EngineView = StatusView["engines"][number];

/** @returns the view of the counts. It has no totals: how much a service converts is not public */
export const statusView = (
  days: ReadonlyMap<string, readonly EngineCount[]>,
  { from, to }: Pick<StatusView, "from" | "to">,
): StatusView => {
  const all = [...days].flatMap(([date, counts]) => counts.map((count) => ({ ...count, date })));
  const engines = [...Map.groupBy(all, ({ engine }) => engine)].toSorted(([one], [other]) => one.localeCompare(other));
  return { from, to, engines: engines.map(([engine, counts]) => engineView(engine, counts)) };
};

const engineView = (engine: string, counts: readonly (EngineCount & { readonly date: string })[]): EngineView => ({
  engine,
  success: successOf(counts),
  median_ms: quantile(counts, 0.5),
  p95_ms: quantile(counts, 0.95),
  days: [...Map.groupBy(counts, ({ date }) => date)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([date, of]) => ({ date, success: successOf(of), median_ms: quantile(of, 0.5) })),
});

/** Rounded down: one failure in a million conversions is not 100%. */
const successOf = (counts: readonly EngineCount[]): number => {
  const failed = sumOf(counts.filter(({ count }) => count === "failed"));
  const all = sumOf(counts);
  return all === 0 ? 1 : Math.floor((1 - failed / all) * 10_000) / 10_000;
};

const sumOf = (counts: readonly EngineCount[]): number => counts.reduce((sum, { value }) => sum + value, 0);

/** Durations above the last bound are taken as twice the bound. */
const BEYOND = 2;

/** @returns the quantile in milliseconds, interpolated within its bucket; null without durations */
const quantile = (counts: readonly EngineCount[], part: number): number | null => {
  const durations = counts.filter(({ count }) => count !== "failed");
  let remaining = sumOf(durations) * part;
  if (remaining === 0) {
    return null;
  }
  const last = STATUS_SECONDS.at(-1) ?? 0;
  for (const [index, upper] of [...STATUS_SECONDS, last * BEYOND].entries()) {
    const inBucket = sumOf(durations.filter(({ count }) => count === index));
    const lower = STATUS_SECONDS[index - 1] ?? 0;
    if (inBucket > 0 && remaining <= inBucket) {
      return Math.round(1_000 * (lower + (upper - lower) * (remaining / inBucket)));
    }
    remaining -= inBucket;
  }
  return last * BEYOND * 1_000;
};
