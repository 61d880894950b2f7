import { describe, expect, it } from "vitest";
import { type Measurement, type MetricName, metricNames, metricOf } from "../../../functions/domain/metrics.ts";
import { exposedName, metricsRegistry } from "../../../local/metrics/prometheus.ts";
import { readExposition } from "../../support/exposition.ts";

const registry = () => metricsRegistry(["getJob", "createJob"]);

const familyOf = async (metrics: ReturnType<typeof registry>, name: string) =>
  readExposition(await metrics.text()).find((family) => family.name === `anyform_${name}`);

describe("the test's strict parser", () => {
  it.each([
    ["no type", "# HELP a b\na 1\n"],
    ["no newline at the end", "# HELP a b\n# TYPE a gauge\na 1"],
    ["a sample of another family", "# HELP a b\n# TYPE a gauge\nb 1\n"],
    ["a duplicate series", "# HELP a b\n# TYPE a gauge\na 1\na 2\n"],
    ["a duplicate family", "# HELP a b\n# TYPE a gauge\na 1\n# HELP c b\n# TYPE c gauge\nc 1\n# TYPE a gauge\na 1\n"],
    ["an unquoted label value", "# HELP a b\n# TYPE a gauge\na{b=c} 1\n"],
    ["an unescaped quote in a label value", '# HELP a b\n# TYPE a gauge\na{b="c"d"} 1\n'],
    ["a value that is not a number", "# HELP a b\n# TYPE a gauge\na undefined\n"],
    ["a counter without the suffix _total", "# HELP a b\n# TYPE a counter\na 1\n"],
    [
      "decreasing buckets",
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
    ["buckets without +Inf", '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n'],
  ])("rejects %s", (_, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});

describe("measurements in Prometheus format", () => {
  it("are empty before the first measurement", async () => {
    expect(await registry().text()).toBe("");
  });

  it("add up counters by their labels, and never decrease them", async () => {
    const metrics = registry();
    const request = (status: "2xx" | "4xx", value: number): Measurement => ({
      metric: "requests",
      labels: { operation: "getJob", status },
      value,
    });
    metrics.record([request("2xx", 1), request("2xx", 1), request("4xx", 1), request("4xx", -5)]);
    expect(await familyOf(metrics, "requests_total")).toMatchObject({
      type: "counter",
      samples: [
        { labels: { operation: "getJob", status: "2xx" }, value: 2 },
        { labels: { operation: "getJob", status: "4xx" }, value: 1 },
      ],
    });
  });

  it("count a histogram value in every bucket from its bound up", async () => {
    const metrics = registry();
    for (const value of [0.005, 0.02, 7, 1_000]) {
      metrics.record([{ metric: "request_seconds", labels: { operation: "getJob" }, value }]);
    }
    const family = await familyOf(metrics, "request_seconds");
    const bucket = (le: string) => family?.samples.find(({ labels }) => labels.le === le)?.value;
    expect([bucket("0.005"), bucket("0.01"), bucket("0.025"), bucket("5"), bucket("10"), bucket("+Inf")]).toEqual([
      1, 1, 2, 2, 3, 4,
    ]);
    expect(family?.samples.slice(-2).map(({ value }) => value)).toEqual([1_007.025, 4]);
  });

  it("read gauges at the time of the request", async () => {
    const metrics = registry();
    let busy = 0;
    metrics.onRead(async () => [{ metric: "converters", labels: { state: "busy" }, value: busy }]);
    for (busy of [2, 1]) {
      expect((await familyOf(metrics, "converters"))?.samples).toEqual([
        { name: "anyform_converters", labels: { state: "busy" }, value: busy },
      ]);
    }
  });
});

describe("the complete metrics table", () => {
  const labelsOf = (name: MetricName): Record<string, string> =>
    Object.fromEntries(
      Object.entries(metricOf(name).labels).map(([label, values]) => [
        label,
        values === "operations" ? "getJob" : (values[0] ?? ""),
      ]),
    );
  const allFamilies = async () => {
    const metrics = registry();
    for (const metric of metricNames) {
      // Types cannot match a row with its labels in a loop.
      metrics.record([{ metric, labels: labelsOf(metric), value: 1 } as Measurement]);
    }
    return readExposition(await metrics.text());
  };

  it("is accepted by the strict parser, with each metric once and with its type", async () => {
    const families = await allFamilies();
    expect(families.map(({ name, type }) => [name, type])).toEqual(
      metricNames.map((name) => [exposedName(name), metricOf(name).kind]),
    );
  });

  // The rules of `promtool check metrics` (github.com/prometheus/client_golang, prometheus/testutil/promlint).
  it("has names that follow Prometheus conventions: lowercase, with prefix, base unit and type suffix", async () => {
    for (const { name, type } of await allFamilies()) {
      expect(name).toMatch(/^anyform(?:_[a-z]+)+$/);
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      expect(name, "is not a Prometheus base unit").not.toMatch(
        /_(?:ms|millis|milliseconds|minutes|hours|kb|mb|gb|percent)(?:_|$)/,
      );
      expect(name, "names its kind").not.toMatch(/_(?:counter|gauge|histogram|summary|count|sum|bucket|info)$/);
    }
    for (const name of metricNames) {
      const { unit } = metricOf(name);
      expect(unit === "count" || name.endsWith(`_${unit}`), name).toBe(true);
    }
  });

  it("has no labels reserved for histograms, and values and descriptions that need no escaping", () => {
    for (const name of metricNames) {
      const { labels, help } = metricOf(name);
      expect(help).toMatch(/^[A-Z][^\\\n]*\.$/);
      for (const [label, values] of Object.entries(labels)) {
        expect(label).toMatch(/^(?!le$|quantile$)[a-z]+$/);
        expect([...values].filter((value) => /["\\\n]/.test(value))).toEqual([]);
      }
    }
  });

  it("has increasing finite bucket bounds", () => {
    for (const name of metricNames) {
      const { kind, buckets } = metricOf(name);
      expect(buckets !== undefined, name).toBe(kind === "histogram");
      expect([...(buckets ?? [])].sort((one, other) => one - other)).toEqual(buckets ?? []);
      expect(buckets?.every(Number.isFinite) ?? true).toBe(true);
    }
  });
});

describe("clients cannot create series", () => {
  const invented = (operation: string): Measurement => ({
    metric: "requests",
    labels: { operation, status: "2xx" },
    value: 1,
  });

  it("an unknown label value is reported as `other`", async () => {
    const metrics = registry();
    metrics.record(['x"} 1\nevil 1', "a".repeat(10_000), "__proto__"].map(invented));
    expect((await familyOf(metrics, "requests_total"))?.samples).toEqual([
      { name: "anyform_requests_total", labels: { operation: "other", status: "2xx" }, value: 3 },
    ]);
  });

  it("a value that is not a number is ignored", async () => {
    const metrics = registry();
    metrics.record([{ ...invented("getJob"), value: Number.NaN }, invented("getJob")]);
    expect((await familyOf(metrics, "requests_total"))?.samples[0]?.value).toBe(1);
  });
});
