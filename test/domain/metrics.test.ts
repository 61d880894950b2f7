import { describe, expect, it } from "vitest";
import { jobErrors } from "../../functions/domain/errors/job-errors.ts";
import { JobError } from "../../functions/domain/errors.ts";
import { failedOutcome, type Job } from "../../functions/domain/jobs/job.ts";
import {
  attemptMeasured,
  claimMeasured,
  endMeasured,
  importMeasured,
  requestMeasured,
} from "../../functions/domain/measurements.ts";
import { cloudMetricCount, metricNames, metricOf } from "../../functions/domain/metrics.ts";
import { jobRecord, NOW } from "../support/world/records.ts";

/** CloudWatch's price of a custom metric per month in US dollars (us-east-1), and the maximum number of metrics. */
const DOLLARS_A_METRIC = 0.3;
const CLOUD_METRICS_MAX = 28;

describe("the metrics table", () => {
  it(`has at most ${CLOUD_METRICS_MAX} paid metrics, counting each combination of dimensions`, () => {
    const lines = metricNames.flatMap((name) => {
      const { cloud, labels } = metricOf(name);
      const factors = cloud?.dimensions.map(
        (label) => `${(cloud.only?.[label] ?? labels[label] ?? []).length} ${label}`,
      );
      return cloud === undefined ? [] : [`${cloud.name}: ${factors?.join(" × ") || "1"}`];
    });
    const count = cloudMetricCount();
    console.log(
      `${lines.join("\n")}\n${count} metrics × ${DOLLARS_A_METRIC} = ${(count * DOLLARS_A_METRIC).toFixed(2)} USD`,
    );
    expect(count).toBeLessThanOrEqual(CLOUD_METRICS_MAX);
  });

  it.each(metricNames)("%s has a name, a description and buckets that Prometheus can read", (name) => {
    const { kind, help, buckets, labels } = metricOf(name);
    expect(name).toMatch(/^[a-z][a-z_]*$/);
    expect(help).toMatch(/^[A-Z][^\\\n]*\.$/);
    expect(buckets !== undefined).toBe(kind === "histogram");
    expect([...(buckets ?? [])]).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    for (const [label, values] of Object.entries(labels)) {
      expect(label).toMatch(/^[a-z]+$/);
      expect(values === "operations" || values.every((value) => /^[a-z0-9_]+$/i.test(value))).toBe(true);
    }
  });

  it.each(metricNames)("%s has only labels with a bounded set of values as dimensions", (name) => {
    const { cloud, labels } = metricOf(name);
    for (const label of [...(cloud?.dimensions ?? []), ...Object.keys(cloud?.only ?? {})]) {
      expect(labels[label]).toBeInstanceOf(Array);
    }
    for (const [label, values] of Object.entries(cloud?.only ?? {})) {
      expect(labels[label]).toEqual(expect.arrayContaining([...values]));
    }
  });
});

describe("a job is measured", () => {
  const job: Job = { ...jobRecord(), sourceFormat: "heic", targetFormat: "pdf", lane: "fast", createdAt: NOW };
  const completed = {
    status: "completed",
    result: { key: "", bytes: 70, mediaType: "", sha256: "", token: "", expiresAt: 0 },
    timings: [],
    warnings: [],
  } as const;

  it("by its wait, at its first attempt only, and never below zero when a clock is set back", () => {
    const value = (attempt: number, now: number) => claimMeasured({ ...job, attempt }, now).map((one) => one.value);
    expect([value(1, NOW + 1_500), value(2, NOW + 9_000), value(1, NOW - 5)]).toEqual([[1.5], [], [0]]);
  });

  it("by its lane, families, outcome and the bytes of all its inputs", () => {
    const further = [{ uploadId: "upl_b", inputKey: "", inputBytes: 5 }];
    const measured = endMeasured({ ...job, inputBytes: 10, further }, completed, { now: NOW + 250, claimedAt: NOW });
    expect(measured).toEqual([
      { metric: "jobs", labels: { lane: "fast", source: "image", target: "document", outcome: "completed" }, value: 1 },
      { metric: "conversion_seconds", labels: { lane: "fast" }, value: 0.25 },
      { metric: "job_input_bytes", labels: { lane: "fast" }, value: 15 },
      { metric: "job_output_bytes", labels: { lane: "fast" }, value: 70 },
    ]);
  });

  it("by the party at fault, for each error code, without bytes or an unused duration", () => {
    for (const [code, { fault }] of Object.entries(jobErrors)) {
      const outcome = failedOutcome(new JobError(code as keyof typeof jobErrors, "x"));
      const [first, ...others] = endMeasured(job, outcome, { now: NOW });
      expect(first?.labels).toMatchObject({ outcome: `failed_${fault}` });
      expect(others).toEqual([]);
    }
  });
});

it("a request is measured by its status class and error code", () => {
  const of = (status: number) =>
    requestMeasured({ operation: "getJob", status, durationMs: 20 })[0]?.labels as { status: string };
  expect([200, 202, 302, 304, 404, 429, 500, 503].map((status) => of(status).status)).toEqual([
    ...["2xx", "2xx", "3xx", "3xx", "4xx", "4xx", "5xx", "5xx"],
  ]);
  const failed = requestMeasured({ operation: "getJob", status: 429, durationMs: 20, code: "quota_exceeded" });
  expect(failed[2]).toEqual({ metric: "request_errors", labels: { code: "quota_exceeded" }, value: 1 });
});

it("an upload is measured by its method and the party at fault for a failure", () => {
  const source = { kind: "fetched", url: "https://example.com", headers: {} } as const;
  const upload = {
    id: "",
    accountId: "",
    key: "",
    filename: "",
    createdAt: 0,
    expiresAt: 0,
    status: "pending",
    source,
  } as const;
  const failed = { status: "failed", error: { code: "fetch_failed", detail: "" } } as const;
  expect(importMeasured(upload, failed, "service")).toEqual([
    { metric: "uploads", labels: { way: "fetched", outcome: "failed_service" }, value: 1 },
  ]);
  const ready = { status: "ready", bytes: 9, sha256: "", format: "png" } as const;
  expect(importMeasured(upload, ready, "input")).toContainEqual({
    metric: "upload_bytes",
    labels: { way: "fetched" },
    value: 9,
  });
});

it("a webhook attempt is measured by the state of its message", () => {
  const outcomes = (["delivered", "pending", "failed"] as const).map(
    (status) => attemptMeasured({ at: 0, durationMs: 5 }, { status })[0]?.labels,
  );
  expect(outcomes).toEqual([{ outcome: "delivered" }, { outcome: "retried" }, { outcome: "given_up" }]);
});
