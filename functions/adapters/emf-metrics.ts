import { type Measurement, type MetricName, type Metrics, metricOf } from "../domain/metrics.ts";

/** Where the lines go. */
export interface EmfOptions {
  /** CloudWatch namespace of the metrics. */
  readonly namespace: string;
  /** Writes one unmodified line to the function's log. */
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const UNITS = { count: "Count", seconds: "Seconds", bytes: "Bytes" } as const;

/**
 * Metrics through the log: CloudWatch extracts them from lines in its embedded metric format (CloudWatch User Guide,
 * "Specification: Embedded metric format"), so a function needs no permission and no call, even in an isolated network.
 * One line per invocation; measurements without an AWS metric in their table row are omitted.
 */
export const emfMetrics = ({ namespace, write, clock }: EmfOptions): Metrics => ({
  record: (measurements) => {
    const sent = measurements.flatMap(pointOf);
    for (const points of withoutConflicts(sent)) {
      write(`${JSON.stringify(lineOf(points, namespace, clock()))}\n`);
    }
  },
});

/** A value of a custom metric with its dimensions. */
interface Point {
  readonly name: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
}

const pointOf = ({ metric, labels, value }: Measurement): readonly Point[] => {
  const { cloud, unit } = metricOf(metric);
  if (cloud === undefined || !isSent(metric, labels)) {
    return [];
  }
  const values: Readonly<Record<string, string>> = labels;
  const dimensions = Object.fromEntries(cloud.dimensions.map((label) => [label, values[label] ?? ""]));
  return [{ name: cloud.name, unit: UNITS[unit], dimensions, value }];
};

/** Every value must be in its table, because unknown values would create unintended custom metrics, which cost money. */
const isSent = (metric: MetricName, labels: Readonly<Record<string, string>>): boolean => {
  const { cloud, labels: known } = metricOf(metric);
  const names = new Set([...(cloud?.dimensions ?? []), ...Object.keys(cloud?.only ?? {})]);
  return [...names].every((label) => {
    const allowed = cloud?.only?.[label] ?? known[label];
    return allowed !== undefined && allowed !== "operations" && allowed.includes(labels[label] ?? "");
  });
};

/** A line has one value per name, so points with the same name are written to separate lines. */
const withoutConflicts = (points: readonly Point[]): readonly (readonly Point[])[] => {
  const lines: Point[][] = [];
  for (const point of points) {
    const line = lines.find((others) => others.every((other) => agree(other, point)));
    if (line === undefined) {
      lines.push([point]);
    } else {
      line.push(point);
    }
  }
  return lines;
};

const agree = (one: Point, other: Point): boolean =>
  one.name !== other.name &&
  Object.entries(other.dimensions).every(([label, value]) => (one.dimensions[label] ?? value) === value);

const lineOf = (points: readonly Point[], namespace: string, now: number) => ({
  _aws: {
    Timestamp: now,
    CloudWatchMetrics: points.map(({ name, unit, dimensions }) => ({
      Namespace: namespace,
      Dimensions: [Object.keys(dimensions)],
      Metrics: [{ Name: name, Unit: unit }],
    })),
  },
  ...Object.assign({}, ...points.map(({ dimensions }) => dimensions)),
  ...Object.fromEntries(points.map(({ name, value }) => [name, value])),
});
