import { RequestError } from "../../domain/errors.ts";
import type { Job } from "../../domain/jobs/job.ts";
import { messageOf } from "../../domain/jobs/job-lane.ts";
import type { Pipeline } from "../../domain/pipelines/pipeline.ts";
import type { Context, IdempotencyClaim, Replay } from "../../domain/ports.ts";
import { asError, jobKeys, logger } from "../../logger.ts";
import { requirePreset } from "../presets/with-preset.ts";
import { type ApiRequest, quotaRefused, requestKeys } from "../request.ts";
import {
  type CompiledPipeline,
  compilePipeline,
  type PipelineSource,
  type PlacedStep,
  resultCount,
} from "./compile-pipeline.ts";

/** A new pipeline, before its presets are applied. */
export interface NewPipeline extends PipelineSource {
  /** Added to the record of the pipeline. */
  readonly record: Pick<Pipeline, "metadata" | "webhook">;
  /** @returns changed jobs. @default unchanged */
  readonly finish?: (jobs: readonly Job[]) => readonly Job[];
  /** @returns the ID that a repeated request finds */
  readonly answers: (compiled: CompiledPipeline) => string;
  readonly idempotency: IdempotencyClaim | undefined;
}

/** The outcome of a request for a pipeline. */
export type StoredPipeline = ({ readonly outcome: "created" } & CompiledPipeline) | Replay;

/**
 * Checks a pipeline, then writes it with its jobs, its idempotency record and the count of its results in one transaction,
 * and queues the jobs that read uploads only.
 *
 * @throws RequestError when the pipeline is rejected; nothing is stored or counted then
 */
export const storePipeline = async (
  context: Context,
  request: ApiRequest<unknown>,
  { inputs, steps, record, finish = (jobs) => jobs, answers, idempotency }: NewPipeline,
): Promise<StoredPipeline> => {
  const release = context.admission?.job(request.accountId);
  try {
    const source = {
      inputs,
      steps: await Promise.all(steps.map((step, index) => withStepPreset(context, request, step, index))),
    };
    const compiled = await compilePipeline(context, request, source);
    const pipeline = { ...compiled.pipeline, ...record };
    const jobs = finish(compiled.jobs);
    const quota = request.claim && { ...request.claim, count: resultCount(pipeline) };
    const creation = await context.pipelines.createPipeline({
      pipeline,
      jobs,
      quota,
      idempotency,
      answers: answers(compiled),
    });
    if (creation.outcome === "quota_exceeded") {
      throw quotaRefused({ ...request, ...(quota && { claim: quota }) });
    }
    if (creation.outcome === "replayed") {
      return creation;
    }
    await sendReady(context, request, jobs);
    return { outcome: "created", pipeline, jobs };
  } finally {
    release?.();
  }
};

const sendReady = async ({ queue }: Context, request: ApiRequest<unknown>, jobs: readonly Job[]): Promise<void> => {
  for (const job of jobs.filter(({ waits }) => waits !== true)) {
    // The job is accepted at this point. If its message is lost, the sweeper sends it again.
    await queue.send(job.lane, messageOf(job)).catch((error: unknown) => {
      logger.warn("job message was not sent", { ...requestKeys(request), ...jobKeys(job), error: asError(error) });
    });
  }
};

const withStepPreset = async (
  context: Pick<Context, "presets">,
  request: ApiRequest<unknown>,
  { preset: name, ...step }: PlacedStep,
  index: number,
): Promise<PlacedStep> => {
  if (name === undefined) {
    return step;
  }
  const pointer = `${step.pointer ?? `/steps/${index}`}/preset`;
  const preset = await requirePreset(context, request, name, pointer);
  if (preset.steps !== undefined) {
    const detail = `The preset ${name} has steps, so it cannot be the preset of a step.`;
    throw new RequestError("invalid_request", detail, { errors: [{ pointer, code: "invalid", detail }] });
  }
  const target = step.target_format ?? preset.targetFormat;
  return {
    ...step,
    ...(target !== undefined && { target_format: target }),
    options: { ...preset.options, ...step.options },
  };
};
