import { outageOf } from "../../domain/errors/resource-errors.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Job } from "../../domain/jobs/job.ts";
import type { Context, IdempotencyClaim, Replay } from "../../domain/ports.ts";
import type { ConversionRequest } from "../conversion/conversion-request.ts";
import { checkReplay } from "../middleware/idempotency.ts";
import { acceptSteps } from "../pipelines/accept-steps.ts";
import { withPreset } from "../presets/with-preset.ts";
import { type ApiRequest, isRefused, quotaRefused } from "../request.ts";
import { jobFor } from "./new-job.ts";
import { sendJob } from "./send-job.ts";

/** The outcome of a request for a conversion. */
export interface Acceptance {
  readonly job: Job;
  /** Whether the idempotency key was used before, and the job is that of the first request. */
  readonly replayed: boolean;
  /** The result, if it is in memory. */
  readonly content?: Uint8Array;
}

/**
 * Accepts a conversion: writes the job, its idempotency record and the metered request in one transaction, and queues
 * the job. Conditions that prevent a new job, such as a full queue or a deleted upload, do not affect a repeated
 * request.
 *
 * @throws RequestError when the job is rejected or the queue is full; nothing is metered then
 */
export const acceptJob = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  idempotency: IdempotencyClaim | undefined,
): Promise<Acceptance> => {
  try {
    return await createJobFor(context, request, idempotency);
  } catch (error) {
    const isRefusal = error instanceof RequestError || outageOf(error) !== undefined;
    const earlier = isRefusal && idempotency && (await context.jobs.findReplay(idempotency.key, request.now));
    if (!earlier) {
      throw error;
    }
    return repeatedJob(context, earlier, idempotency);
  }
};

const createJobFor = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  idempotency: IdempotencyClaim | undefined,
): Promise<Acceptance> => {
  const complete = await withPreset(context, request);
  if ("steps" in complete) {
    const accepted = await acceptSteps(context, complete, idempotency);
    return accepted.outcome === "replayed" ? repeatedJob(context, accepted, idempotency) : accepted;
  }
  return queueJob(context, request, { jobOf: () => jobFor(context, complete.request), idempotency });
};

interface NewJob {
  /** @returns the job, which is made while it has a place in the queue */
  readonly jobOf: () => Promise<Job>;
  readonly idempotency: IdempotencyClaim | undefined;
}

/** Adds the job to the queue. @throws RequestError as `acceptJob` does */
export const queueJob = async (
  context: Context,
  request: ApiRequest<ConversionRequest>,
  { jobOf, idempotency }: NewJob,
): Promise<Acceptance> => {
  const release = context.admission?.job(request.accountId);
  try {
    const job = await jobOf();
    const send = () => sendJob(context, request, job);
    const creation = await context.jobs.createJob(job, request.claim, idempotency, send);
    if (isRefused(creation)) {
      throw quotaRefused(request, creation);
    }
    if (creation.outcome === "replayed") {
      return await repeatedJob(context, creation, idempotency);
    }
    return { job, replayed: false };
  } finally {
    release?.();
  }
};

/** @throws RequestError `idempotency_mismatch`; `expired` when the job was deleted */
export const repeatedJob = async (
  { jobs }: Context,
  replay: Replay,
  idempotency: IdempotencyClaim | undefined,
): Promise<Acceptance> => {
  checkReplay(replay, idempotency);
  const first = await jobs.getJob(replay.id);
  if (first === undefined) {
    throw new RequestError("expired", `Job ${replay.id} of this Idempotency-Key was deleted.`);
  }
  return { job: first, replayed: true };
};
