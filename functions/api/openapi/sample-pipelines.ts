import type { Job } from "../../domain/jobs/job.ts";
import { RECORD_RETENTION_MS } from "../../domain/limits.ts";
import type { Pipeline, PipelineJobs } from "../../domain/pipelines/pipeline.ts";
import type { Preset } from "../../domain/pipelines/preset.ts";
import { accountId, EXAMPLE_TIME } from "./sample-ids.ts";

/** @returns a pipeline of one step, in the states of the sample job */
export const samplePipelines = (
  id: string,
  jobs: Readonly<Record<"cancelled" | "completed" | "failed" | "queued", Job>>,
) => {
  const { id: jobId, createdAt, uploadId, inputBytes: inputBytesMax } = jobs.queued;
  const pipeline: Pipeline = {
    id,
    accountId,
    inputs: { photo: uploadId },
    steps: [
      {
        name: "web",
        operation: "convert",
        jobId,
        from: ["photo"],
        isResult: true,
        accepts: { inputBytesMax, lane: "fast" },
      },
    ],
    metadata: { order: "17" },
    createdAt,
    recordExpiresAt: createdAt + RECORD_RETENTION_MS,
  };
  const holding = (job: Job): PipelineJobs => new Map([[jobId, { ...job, pipelineId: id }]]);
  return {
    pipeline,
    queued: holding(jobs.queued),
    completed: holding(jobs.completed),
    failed: holding(jobs.failed),
    cancelled: holding(jobs.cancelled),
  };
};

export const samplePreset: Preset = {
  accountId,
  name: "web-photo",
  targetFormat: "webp",
  options: { width: 1_600, quality: 80 },
  updatedAt: EXAMPLE_TIME,
};
