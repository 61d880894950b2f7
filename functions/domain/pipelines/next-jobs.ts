import { JobError, type JobErrorCode } from "../errors.ts";
import { mediaTypeOf } from "../formats/formats.ts";
import { failedOutcome, isUnfinished, type Job, type JobInput, type JobOutcome } from "../jobs/job.ts";
import { laneOfJob } from "../jobs/job-lane.ts";
import type { StartedInputs } from "../jobs/transitions.ts";
import type { Pipeline, PipelineJobs, PipelineStep } from "./pipeline.ts";

/** What has to happen to a job of a pipeline after other jobs have ended. */
export type NextJob = { readonly job: Job } & (
  | { readonly action: "start"; readonly inputs: StartedInputs }
  | { readonly action: "end"; readonly outcome: Extract<JobOutcome, { status: "failed" }> }
  | { readonly action: "cancel" }
);

/**
 * The jobs that a pipeline changes next. Every ended job leads to another call, so each call only looks one step ahead:
 *
 * - a waiting job whose inputs exist is started;
 * - a waiting job with a failed input fails with the error of that input, so that its request is refunded whenever the
 *   service caused the failure; with a cancelled input, it is cancelled;
 * - a job is cancelled if all steps that need its result have ended.
 *
 * The changes are conditional, so that concurrent and repeated calls are safe.
 */
export const nextJobs = (pipeline: Pick<Pipeline, "steps">, jobs: PipelineJobs, now: number): readonly NextJob[] =>
  pipeline.steps.flatMap((step): readonly NextJob[] => {
    const job = jobs.get(step.jobId);
    if (job === undefined || !isUnfinished(job)) {
      return [];
    }
    if (!isNeeded(pipeline, step, jobs)) {
      return [{ job, action: "cancel" }];
    }
    const next = job.waits === true ? waitingNext(pipeline, { step, job }, jobs, now) : undefined;
    return next === undefined ? [] : [{ job, ...next }];
  });

const isNeeded = ({ steps }: Pick<Pipeline, "steps">, { name, isResult }: PipelineStep, jobs: PipelineJobs): boolean =>
  isResult ||
  steps.some(({ from, jobId }) => {
    const reader = from.includes(name) ? jobs.get(jobId) : undefined;
    return reader !== undefined && isUnfinished(reader);
  });

type Action = NextJob extends infer Next ? (Next extends unknown ? Omit<Next, "job"> : never) : never;

const waitingNext = (
  { steps }: Pick<Pipeline, "steps">,
  { step, job }: { readonly step: PipelineStep; readonly job: Job },
  jobs: PipelineJobs,
  now: number,
): Action | undefined => {
  const read = step.from.map((name) => steps.find((other) => other.name === name));
  const sources = read.filter((source) => source !== undefined);
  const failure = sources.map((source) => failureOf(source, jobs.get(source.jobId), now)).find(Boolean);
  if (failure !== undefined) {
    return failure;
  }
  if (sources.some(({ jobId }) => jobs.get(jobId)?.status !== "completed")) {
    return undefined;
  }
  const results = read.map((source) => (source === undefined ? undefined : jobs.get(source.jobId)?.result));
  const [first, ...further] = [job, ...(job.further ?? [])].map((input, index) => {
    const { key: inputKey, bytes: inputBytes } = results[index] ?? { key: input.inputKey, bytes: input.inputBytes };
    return { ...input, inputKey, inputBytes };
  });
  return first === undefined ? undefined : started({ step, job }, first, further);
};

/** @returns what a failed, cancelled or unusable input leads to; undefined if it is usable, or unfinished */
const failureOf = (step: PipelineStep, job: Job | undefined, now: number): Action | undefined => {
  if (job?.status === "cancelled") {
    return { action: "cancel" };
  }
  if (job?.error !== undefined) {
    // A job that was never started has the message of the step that failed first.
    const detail = job.attempt === 0 ? job.error.detail : `Step ${step.name}: ${job.error.detail}`;
    return failed(job.error.code, detail);
  }
  if (job === undefined || (job.result !== undefined && job.result.expiresAt <= now)) {
    return failed("engine_failed", `The result of step ${step.name} was deleted before it was read.`);
  }
  if (job.result?.mediaType === mediaTypeOf("zip") && job.targetFormat !== "zip") {
    const detail = `Step ${step.name} made several files. Other steps cannot read them: select one with \`pages\`, or make it a result.`;
    return failed("unsupported_feature", detail);
  }
  return undefined;
};

const failed = (code: JobErrorCode, detail: string): Action => {
  const outcome = failedOutcome(new JobError(code, detail));
  return outcome.status === "failed" ? { action: "end", outcome } : { action: "cancel" };
};

const started = (
  { step: { accepts, name }, job }: { readonly step: PipelineStep; readonly job: Job },
  { inputKey, inputBytes }: JobInput,
  further: readonly JobInput[],
): Action => {
  const all = [{ inputBytes }, ...further, ...(job.optionFiles ?? [])];
  const bytes = all.reduce((sum, each) => sum + each.inputBytes, 0);
  if (bytes > accepts.inputBytesMax) {
    const detail = `Step ${name} accepts up to ${accepts.inputBytesMax} bytes. Its inputs have ${bytes}.`;
    return failed("output_too_large", detail);
  }
  const { sourceFormat: from, targetFormat: to, helperLane } = job;
  const lane = laneOfJob({ from, to, lane: accepts.lane, ...(helperLane && { helperLane }) }, inputBytes, job.options);
  return {
    action: "start",
    inputs: { inputKey, inputBytes, lane, ...(further.length > 0 && { further: further.map(inputOf) }) },
  };
};

const inputOf = ({ uploadId, inputKey, inputBytes, format, inputFilename, steps }: JobInput): JobInput => ({
  uploadId,
  inputKey,
  inputBytes,
  ...(format !== undefined && { format }),
  ...(inputFilename !== undefined && { inputFilename }),
  ...(steps !== undefined && { steps }),
});
