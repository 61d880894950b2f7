import {
  type Measurement,
  type MetricName,
  type Metrics,
  metricNames,
  metricOf,
} from "../../functions/domain/metrics.ts";

/** Stores measurements and exposes them in the text format of Prometheus. */
export interface MetricsRegistry extends Metrics {
  /** Adds a source that is called on each read, for gauges of the current state. */
  onRead(source: () => Promise<readonly Measurement[]>): void;
  /** @returns all metrics in the text format of Prometheus, version 0.0.4 */
  text(): Promise<string>;
}

/**
 * Maximum label combinations per metric; further ones are dropped. Jobs have the most: 4 lanes, 15 × 15 families, 4
 * outcomes.
 */
const SERIES_MAX = 4_000;

/** Label of an unknown value. It is a bug, and must not expose a value that a client chose. */
const UNKNOWN = "other";

interface Series {
  readonly labels: string;
  /** The value of a counter or gauge; the sum of the values of a histogram. */
  value: number;
  /** For a histogram: the number of values in each bucket, not cumulative; the last bucket has no upper bound. */
  readonly buckets: number[];
}

/**
 * @param operations the allowed values of the label `operation`
 * @returns a registry in memory. Counters start at zero with each process, as Prometheus expects.
 */
export const metricsRegistry = (operations: readonly string[]): MetricsRegistry => {
  const kept = new Map<MetricName, Map<string, Series>>(metricNames.map((name) => [name, new Map()]));
  const sources: (() => Promise<readonly Measurement[]>)[] = [];
  const known = knownLabels(operations);
  const seriesOf = ({ metric, labels }: Measurement): Series | undefined => {
    const series = kept.get(metric);
    const shown = known(metric, labels);
    const found = series?.get(shown);
    if (found !== undefined || series === undefined || series.size >= SERIES_MAX) {
      return found;
    }
    const made = { labels: shown, value: 0, buckets: new Array((metricOf(metric).buckets?.length ?? 0) + 1).fill(0) };
    series.set(shown, made);
    return made;
  };
  const record: Metrics["record"] = (measurements) => {
    for (const measurement of measurements) {
      const series = seriesOf(measurement);
      if (series !== undefined && Number.isFinite(measurement.value)) {
        take(series, measurement);
      }
    }
  };
  return {
    record,
    onRead: (source) => void sources.push(source),
    text: async () => {
      for (const measured of await Promise.all(sources.map((source) => source()))) {
        record(measured);
      }
      return metricNames.map((name) => exposition(name, [...(kept.get(name)?.values() ?? [])])).join("");
    },
  };
};

const take = (series: Series, { metric, value }: Measurement): void => {
  const { kind, buckets = [] } = metricOf(metric);
  if (kind === "gauge") {
    series.value = value;
    return;
  }
  // A counter never decreases, even if the clock was set back.
  series.value += Math.max(0, value);
  const bucket = buckets.findIndex((bound) => value <= bound);
  const index = bucket === -1 ? buckets.length : bucket;
  series.buckets[index] = (series.buckets[index] ?? 0) + 1;
};

/**
 * @returns a function that formats the labels of a metric, in the order of its table row:
 * `lane="fast",outcome="completed"`
 */
const knownLabels = (operations: readonly string[]) => {
  const values = new Map(
    metricNames.map((name) => [
      name,
      Object.entries(metricOf(name).labels).map(
        ([label, list]) => [label, new Set(list === "operations" ? operations : list)] as const,
      ),
    ]),
  );
  return (metric: MetricName, labels: Readonly<Record<string, string>>): string =>
    (values.get(metric) ?? [])
      .map(([label, allowed]) => {
        const value = labels[label] ?? "";
        return `${label}="${allowed.has(value) ? value : UNKNOWN}"`;
      })
      .join(",");
};

/** @returns the lines of the metric; none without measurements */
const exposition = (name: MetricName, series: readonly Series[]): string => {
  if (series.length === 0) {
    return "";
  }
  const { kind, help, buckets } = metricOf(name);
  const shown = exposedName(name);
  const lines = series.flatMap((one) =>
    buckets === undefined ? [`${shown}${inBraces(one.labels)} ${one.value}`] : histogram(shown, one, buckets),
  );
  return [`# HELP ${shown} ${help}`, `# TYPE ${shown} ${kind}`, ...lines, ""].join("\n");
};

/** @returns the Prometheus name of the metric: prefixed with the service, and with the suffix `_total` for counters */
export const exposedName = (name: MetricName): string =>
  `anyform_${name}${metricOf(name).kind === "counter" ? "_total" : ""}`;

const histogram = (name: string, { labels, value, buckets }: Series, bounds: readonly number[]): string[] => {
  let count = 0;
  const counted = [...bounds.map(String), "+Inf"].map((bound, index) => {
    count += buckets[index] ?? 0;
    return `${name}_bucket${inBraces([labels, `le="${bound}"`].filter(Boolean).join(","))} ${count}`;
  });
  return [...counted, `${name}_sum${inBraces(labels)} ${value}`, `${name}_count${inBraces(labels)} ${count}`];
};

const inBraces = (labels: string): string => (labels === "" ? "" : `{${labels}}`);
