import { describe, expect, it } from "vitest";
import type { Job, JobOutcome } from "../../../functions/domain/jobs/job.ts";
import { nextJobs } from "../../../functions/domain/pipelines/next-jobs.ts";
import { pipelineStatus } from "../../../functions/domain/pipelines/pipeline.ts";
import { completedOutcome, NOW, pipelineRecord } from "../../support/world/records.ts";

const { pipeline, jobs } = pipelineRecord();
const [first, second] = jobs;

const jobsWith = (...changed: Partial<Job>[]) =>
  new Map([first, second].map((job, index) => [job.id, { ...job, ...changed[index] }]));

const completed = (outcome: JobOutcome = completedOutcome(first.id, 1)): Partial<Job> =>
  outcome.status === "completed" ? { status: "completed", result: outcome.result } : {};

const failed = (code: "engine_failed" | "source_corrupt"): Partial<Job> => ({
  status: "failed",
  attempt: 1,
  error: { code, detail: "What went wrong." },
});

describe("the next jobs of a pipeline", () => {
  it("are none while the inputs of waiting jobs are unfinished", () => {
    expect(nextJobs(pipeline, jobsWith(), NOW)).toEqual([]);
    expect(nextJobs(pipeline, jobsWith({ status: "processing" }), NOW)).toEqual([]);
  });

  it("start with the results that they read, once", () => {
    const { result } = completed();
    const inputs = { inputKey: result?.key, inputBytes: result?.bytes, lane: "fast" };
    expect(nextJobs(pipeline, jobsWith(completed()), NOW)).toMatchObject([{ job: second, action: "start", inputs }]);
    expect(nextJobs(pipeline, jobsWith(completed(), { waits: false }), NOW)).toEqual([]);
  });

  it.each([
    ["source_corrupt", false],
    ["engine_failed", true],
  ] as const)("fail with the error of their input: %s refunds the request: %s", (code, givesBack) => {
    const error = { code, detail: "Step small: What went wrong." };
    const outcome = { status: "failed", error, givesBack };
    expect(nextJobs(pipeline, jobsWith(failed(code)), NOW)).toMatchObject([{ job: second, action: "end", outcome }]);
  });

  it("are cancelled with their input", () => {
    expect(nextJobs(pipeline, jobsWith({ status: "cancelled" }), NOW)).toMatchObject([
      { job: second, action: "cancel" },
    ]);
  });

  it("are cancelled when nothing needs their result any more", () => {
    const next = nextJobs(pipeline, jobsWith({ status: "processing" }, { status: "cancelled" }), NOW);
    expect(next).toMatchObject([{ job: { id: first.id }, action: "cancel" }]);
  });

  it("fail when their input was deleted, has several files or is too large", () => {
    const { result } = completed();
    if (result === undefined) {
      throw new TypeError("A completed job has a result.");
    }
    const codes = [
      { ...completed(), result: { ...result, expiresAt: NOW } },
      { ...completed(), result: { ...result, mediaType: "application/zip" } },
      { ...completed(), result: { ...result, bytes: 10_001 } },
    ].map((job) =>
      nextJobs(pipeline, jobsWith(job), NOW).map((next) => next.action === "end" && next.outcome.error.code),
    );
    expect(codes).toEqual([["engine_failed"], ["unsupported_feature"], ["output_too_large"]]);
  });
});

describe("the status of a pipeline", () => {
  it.each([
    ["queued", [{}, {}]],
    ["processing", [{ status: "processing" }, {}]],
    ["processing", [completed(), {}]],
    ["completed", [completed(), completed()]],
    ["failed", [failed("source_corrupt"), { status: "failed" }]],
    ["failed", [failed("source_corrupt"), { status: "cancelled" }]],
    ["cancelled", [completed(), { status: "cancelled" }]],
  ] as [string, Partial<Job>[]][])("is %s", (status, changed) => {
    expect(pipelineStatus(pipeline, jobsWith(...changed), NOW)).toBe(status);
  });

  it("is expired once all results are deleted", () => {
    const done = completed();
    const now = done.result?.expiresAt ?? 0;
    expect(pipelineStatus(pipeline, jobsWith(done, done), now)).toBe("expired");
    expect(pipelineStatus(pipeline, new Map(), NOW)).toBe("expired");
  });
});
