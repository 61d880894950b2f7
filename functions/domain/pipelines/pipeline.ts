import type { LaneId } from "../conversions/lanes.ts";
import { isUnfinished, type Job, jobView, shownStatus } from "../jobs/job.ts";
import { timestamp } from "../times.ts";
import type { JobEndpoints } from "../webhooks/endpoint.ts";
import type { OperationName } from "./operations.ts";
import type { PipelineView } from "./pipeline-views.ts";

/**
 * A pipeline: jobs that read uploads and each other's results. Its record never changes: its status is derived from its
 * jobs, which are created together with it. Times are milliseconds since 1970.
 */
export interface Pipeline {
  readonly id: string;
  readonly accountId: string;
  /** In an order in which every step follows the steps that it reads. */
  readonly steps: readonly PipelineStep[];
  /** IDs of the uploads by the names that steps read them under. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The webhook URL, and the base URL of the service for the URLs in the message. */
  readonly webhook?: { readonly url: string; readonly baseUrl: string };
  /** The endpoints of the account that receive its end. @default none */
  readonly endpoints?: JobEndpoints;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** When the record is deleted. */
  readonly recordExpiresAt: number;
}

export interface PipelineStep {
  /** Unique in the pipeline, also among the names of its inputs. */
  readonly name: string;
  readonly operation: OperationName;
  readonly jobId: string;
  /** Names of the inputs and steps that it reads, in the order of the job's inputs. */
  readonly from: readonly string[];
  /** Whether its result is offered for download, and counted. */
  readonly isResult: boolean;
  /** What its job accepts, for inputs whose size is unknown until they exist. */
  readonly accepts: { readonly inputBytesMax: number; readonly lane: LaneId };
}

/** The jobs of a pipeline by ID; deleted ones are missing. */
export type PipelineJobs = ReadonlyMap<string, Job>;

/** @returns the jobs of the pipeline that exist */
export const jobsOf = async (
  { steps }: Pick<Pipeline, "steps">,
  get: (id: string) => Promise<Job | undefined>,
): Promise<PipelineJobs> => {
  const found = await Promise.all(steps.map(({ jobId }) => get(jobId)));
  return new Map(found.flatMap((job) => (job === undefined ? [] : [[job.id, job] as const])));
};

/** @returns whether no job of the pipeline is unfinished */
export const hasEnded = ({ steps }: Pick<Pipeline, "steps">, jobs: PipelineJobs): boolean =>
  jobsIn(steps, jobs).every((job) => !isUnfinished(job));

/** @returns when the last job ended, milliseconds since 1970; undefined while one is unfinished */
export const endedAt = (pipeline: Pipeline, jobs: PipelineJobs): number | undefined =>
  hasEnded(pipeline, jobs)
    ? Math.max(pipeline.createdAt, ...jobsIn(pipeline.steps, jobs).map(({ finishedAt = 0 }) => finishedAt))
    : undefined;

/**
 * @returns the status of the pipeline at this time: one failed step fails it, although results of other steps can be
 * downloaded; it is `expired` when none of its results can be downloaded any more
 */
export const pipelineStatus = ({ steps }: Pipeline, jobs: PipelineJobs, now: number): PipelineView["status"] => {
  const own = jobsIn(steps, jobs);
  if (own.some(isUnfinished)) {
    return own.every(({ status }) => status === "queued") ? "queued" : "processing";
  }
  const worst = (["failed", "cancelled"] as const).find((status) => own.some((job) => job.status === status));
  const results = steps.filter(({ isResult }) => isResult).map(({ jobId }) => jobs.get(jobId));
  const isExpired = results.every((job) => job === undefined || shownStatus(job, now) === "expired");
  return worst ?? (isExpired ? "expired" : "completed");
};

/**
 * @param baseUrl the base URL by which the client reached the service, without a trailing slash
 * @returns the pipeline as the API returns it at this time
 */
export const pipelineView = (
  pipeline: Pipeline,
  jobs: PipelineJobs,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: number },
): PipelineView => {
  const steps = pipeline.steps.map((step) => stepView(step, jobs.get(step.jobId), { baseUrl, now }));
  const finishedAt = endedAt(pipeline, jobs);
  return {
    id: pipeline.id,
    status: pipelineStatus(pipeline, jobs, now),
    progress: Math.floor(steps.reduce((sum, { progress }) => sum + progress, 0) / steps.length),
    inputs: pipeline.inputs,
    steps: steps.map(({ result: _, ...step }) => step),
    results: steps.flatMap(({ name, result }) => (result === null ? [] : [{ step: name, ...result }])),
    metadata: pipeline.metadata ?? {},
    created_at: timestamp(pipeline.createdAt),
    finished_at: finishedAt === undefined ? null : timestamp(finishedAt),
  };
};

type StepView = PipelineView["steps"][number] & { readonly result: ReturnType<typeof jobView>["result"] };

const stepView = (
  { name, operation, from, jobId, isResult }: PipelineStep,
  job: Job | undefined,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: number },
): StepView => {
  const view = job && jobView(job, baseUrl, now);
  return {
    name,
    operation,
    from: [...from],
    job_id: jobId,
    // The record of a deleted job is gone, like the file of an expired one.
    status: job?.waits === true && isUnfinished(job) ? "waiting" : (view?.status ?? "expired"),
    progress: view?.progress ?? 100,
    is_result: isResult,
    target_format: view?.target_format ?? null,
    error: view?.error ?? null,
    result: view?.result ?? null,
  };
};

const jobsIn = (steps: readonly PipelineStep[], jobs: PipelineJobs): readonly Job[] =>
  steps.flatMap(({ jobId }) => jobs.get(jobId) ?? []);
