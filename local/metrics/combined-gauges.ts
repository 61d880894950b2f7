import type { Measurement } from "../../functions/domain/metrics.ts";

/** @returns the gauges of several processes as one: the longest delay of an event loop, the first start, and the sum of the rest */
export const combinedGauges = (processes: readonly (readonly Measurement[])[]): readonly Measurement[] => {
  const combined = new Map<string, Measurement>();
  for (const measured of processes.flat()) {
    const name = `${measured.metric} ${JSON.stringify(measured.labels)}`;
    const earlier = combined.get(name);
    combined.set(name, earlier === undefined ? measured : { ...measured, value: together(measured, earlier.value) });
  }
  return [...combined.values()];
};

const together = ({ metric, value }: Measurement, earlier: number): number => {
  if (metric === "event_loop_delay_seconds") {
    return Math.max(value, earlier);
  }
  return metric === "start_time_seconds" ? Math.min(value, earlier) : value + earlier;
};
