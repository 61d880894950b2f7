import { expect, it } from "vitest";
import { emfMetrics } from "../../functions/adapters/emf-metrics.ts";
import { type Measurement, type MetricName, metricNames, metricOf } from "../../functions/domain/metrics.ts";
import { combinations } from "../../infra/monitoring/overview-metrics.ts";

const NOW = 1_700_000_000_000;

interface EmfLine {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
  readonly [name: string]: unknown;
}

const linesOf = (measurements: readonly Measurement[]): EmfLine[] => {
  const lines: string[] = [];
  emfMetrics({ namespace: "files", write: (line) => lines.push(line), clock: () => NOW }).record(measurements);
  expect(lines.every((line) => line.endsWith("\n") && !line.slice(0, -1).includes("\n"))).toBe(true);
  return lines.map((line) => JSON.parse(line));
};

/** What CloudWatch extracts from a line: each metric with its dimensions and the value at the root. */
const pointsIn = (lines: readonly EmfLine[]) =>
  lines.flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Dimensions: [dimensions = []], Metrics }) =>
      Metrics.map(({ Name, Unit }) => ({
        name: Name,
        unit: Unit,
        dimensions: Object.fromEntries(dimensions.map((label) => [label, line[label]])),
        value: line[Name],
      })),
    ),
  );

it("writes one line for the end of a job, with all metrics and dimensions", () => {
  const lines = linesOf([
    { metric: "jobs", labels: { lane: "fast", source: "image", target: "document", outcome: "completed" }, value: 1 },
    { metric: "conversion_seconds", labels: { lane: "fast" }, value: 2 },
    { metric: "job_input_bytes", labels: { lane: "fast" }, value: 10 },
    { metric: "job_output_bytes", labels: { lane: "fast" }, value: 20 },
  ]);
  expect(lines).toHaveLength(1);
  expect(lines[0]?._aws).toMatchObject({ Timestamp: NOW, CloudWatchMetrics: [{ Namespace: "files" }, {}, {}] });
  expect(pointsIn(lines)).toEqual([
    { name: "Jobs", unit: "Count", dimensions: { lane: "fast", outcome: "completed" }, value: 1 },
    { name: "JobInputBytes", unit: "Bytes", dimensions: {}, value: 10 },
    { name: "JobOutputBytes", unit: "Bytes", dimensions: {}, value: 20 },
  ]);
});

it("writes separate lines for values that would overwrite each other", () => {
  const attempt = (outcome: "delivered" | "retried"): Measurement => ({
    metric: "webhook_attempts",
    labels: { outcome },
    value: 1,
  });
  expect(pointsIn(linesOf([attempt("delivered"), attempt("retried"), attempt("retried")]))).toEqual(
    ["delivered", "retried", "retried"].map((outcome) => expect.objectContaining({ dimensions: { outcome } })),
  );
});

it("writes nothing for metrics that AWS provides for free, and for outcomes not worth their price", () => {
  const lines = linesOf([
    { metric: "requests", labels: { operation: "getJob", status: "2xx" }, value: 1 },
    { metric: "request_errors", labels: { code: "not_found" }, value: 1 },
    { metric: "jobs", labels: { lane: "fast", source: "image", target: "image", outcome: "cancelled" }, value: 1 },
    { metric: "uploads", labels: { way: "request", outcome: "ready" }, value: 1 },
  ]);
  expect(lines).toEqual([]);
});

it("writes no metric for an unknown measurement", () => {
  const invented = {
    metric: "jobs",
    labels: { lane: "mine", outcome: "completed" },
    value: 1,
  } as unknown as Measurement;
  expect(linesOf([invented])).toEqual([]);
});

it.each(metricNames.filter((name) => metricOf(name).cloud !== undefined))(
  "%s is written with every combination of dimensions that the dashboard requests",
  (name) => {
    const { labels, cloud } = metricOf(name);
    for (const dimensions of combinations(name)) {
      const others = Object.entries({ ...labels, ...cloud?.only }).map(([label, values]) => [label, values[0]]);
      const measurement = { metric: name, labels: { ...Object.fromEntries(others), ...dimensions }, value: 3 };
      expect(pointsIn(linesOf([measurement as Measurement]))).toEqual([
        { name: cloud?.name, unit: expect.any(String), dimensions, value: 3 },
      ]);
    }
  },
);

it("names each metric uniquely", () => {
  const names = metricNames.flatMap((name: MetricName) => metricOf(name).cloud?.name ?? []);
  expect(new Set(names).size).toBe(names.length);
});
