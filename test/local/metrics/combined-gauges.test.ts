import { expect, test } from "vitest";
import type { Measurement } from "../../../functions/domain/metrics.ts";
import { combinedGauges } from "../../../local/metrics/combined-gauges.ts";

const gauges = (connections: number, delay: number, start: number): readonly Measurement[] => [
  { metric: "connections", labels: {}, value: connections },
  { metric: "converters", labels: { state: "busy" }, value: 1 },
  { metric: "event_loop_delay_seconds", labels: { of: "max" }, value: delay },
  { metric: "start_time_seconds", labels: {}, value: start },
];

test("several processes have the sum of their gauges, the longest delay, and the first start", () => {
  const free: Measurement = { metric: "converters", labels: { state: "all" }, value: 3 };
  expect(combinedGauges([[...gauges(2, 0.5, 100), free], gauges(3, 0.1, 200), []])).toEqual([
    { metric: "connections", labels: {}, value: 5 },
    { metric: "converters", labels: { state: "busy" }, value: 2 },
    { metric: "event_loop_delay_seconds", labels: { of: "max" }, value: 0.5 },
    { metric: "start_time_seconds", labels: {}, value: 100 },
    free,
  ]);
});
