import { describe, expect, it } from "vitest";
import { JobError, jobErrors } from "../../functions/domain/errors.ts";
import { failedOutcome, type Job } from "../../functions/domain/jobs/job.ts";
import {
  attemptMeasured,
  claimMeasured,
  endMeasured,
  importMeasured,
  requestMeasured,
} from "../../functions/domain/measurements.ts";
import { cloudMetricCount, metricNames, metricOf } from "../../functions/domain/metrics.ts";
import { jobRecord, NOW } from "../support/records.ts";

/** US dollars that CloudWatch takes for a custom metric a month (us-east-1), and metrics that a deployment may have. */
const DOLLARS_A_METRIC = 0.3;
const CLOUD_METRICS_MAX = 25;

describe("the table of metrics", () => {
  it(`has at most ${CLOUD_METRICS_MAX} that are paid for, each combination of dimensions counted`, () => {
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

  it.each(metricNames)("%s has a name, a sentence and buckets that Prometheus can read", (name) => {
    const { kind, says, buckets, labels } = metricOf(name);
    expect(name).toMatch(/^[a-z][a-z_]*$/);
    expect(says).toMatch(/^[A-Z][^\\\n]*\.$/);
    expect(buckets !== undefined).toBe(kind === "histogram");
    expect([...(buckets ?? [])]).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    for (const [label, values] of Object.entries(labels)) {
      expect(label).toMatch(/^[a-z]+$/);
      expect(values === "operations" || values.every((value) => /^[a-z0-9_]+$/i.test(value))).toBe(true);
    }
  });

  it.each(metricNames)("%s has dimensions only of its labels, and of none that the domain does not bound", (name) => {
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

  it("by how long it waited, at its first attempt only, and not below nothing when a clock is set back", () => {
    const value = (attempt: number, now: number) => claimMeasured({ ...job, attempt }, now).map((one) => one.value);
    expect([value(1, NOW + 1_500), value(2, NOW + 9_000), value(1, NOW - 5)]).toEqual([[1.5], [], [0]]);
  });

  it("by its lane, its families, its end and the bytes of all its inputs", () => {
    const further = [{ uploadId: "upl_b", inputKey: "", inputBytes: 5 }];
    const measured = endMeasured({ ...job, inputBytes: 10, further }, completed, { now: NOW + 250, claimedAt: NOW });
    expect(measured).toEqual([
      { metric: "jobs", labels: { lane: "fast", source: "image", target: "document", outcome: "completed" }, value: 1 },
      { metric: "conversion_seconds", labels: { lane: "fast" }, value: 0.25 },
      { metric: "job_input_bytes", labels: { lane: "fast" }, value: 15 },
      { metric: "job_output_bytes", labels: { lane: "fast" }, value: 70 },
    ]);
  });

  it("by whose fault it failed, for each error of the table, without bytes and without a time that nobody took", () => {
    for (const [code, { fault }] of Object.entries(jobErrors)) {
      const outcome = failedOutcome(new JobError(code as keyof typeof jobErrors, "x"));
      const [first, ...others] = endMeasured(job, outcome, { now: NOW });
      expect(first?.labels).toMatchObject({ outcome: `failed_${fault}` });
      expect(others).toEqual([]);
    }
  });
});

it("a request is measured by the class of its status, and the code of its error", () => {
  const of = (status: number) =>
    requestMeasured({ operation: "getJob", status, durationMs: 20 })[0]?.labels as { status: string };
  expect([200, 202, 302, 304, 404, 429, 500, 503].map((status) => of(status).status)).toEqual([
    ...["2xx", "2xx", "3xx", "3xx", "4xx", "4xx", "5xx", "5xx"],
  ]);
  const failed = requestMeasured({ operation: "getJob", status: 429, durationMs: 20, code: "quota_exceeded" });
  expect(failed[2]).toEqual({ metric: "request_errors", labels: { code: "quota_exceeded" }, value: 1 });
});

it("an upload is measured by how it came and whose fault it was that it did not", () => {
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

it("an attempt to tell a webhook is measured by what becomes of the message", () => {
  const outcomes = (["delivered", "pending", "failed"] as const).map(
    (status) => attemptMeasured({ at: 0, durationMs: 5 }, { status })[0]?.labels,
  );
  expect(outcomes).toEqual([{ outcome: "delivered" }, { outcome: "retried" }, { outcome: "given_up" }]);
});
