import type { Job } from "../../domain/jobs/job.ts";
import type { Pipeline } from "../../domain/pipelines/pipeline.ts";
import type { Context, IdempotencyClaim, Replay } from "../../domain/ports.ts";
import { sendJob } from "../jobs/send-job.ts";
import { requirePreset } from "../presets/with-preset.ts";
import { type ApiRequest, invalidValue, isRefused, quotaRefused } from "../request.ts";
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
  readonly record: Pick<Pipeline, "endpoints" | "metadata" | "webhook">;
  /** @returns changed jobs. @default unchanged */
  readonly finish?: (jobs: readonly Job[]) => Promise<readonly Job[]>;
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
  { inputs, steps, record, finish = async (jobs) => jobs, answers, idempotency }: NewPipeline,
): Promise<StoredPipeline> => {
  const release = context.admission?.job(request.accountId);
  try {
    const source = {
      inputs,
      steps: await Promise.all(steps.map((step, index) => withStepPreset(context, request, step, index))),
    };
    const compiled = await compilePipeline(context, request, source);
    const pipeline = { ...compiled.pipeline, ...record };
    const jobs = await finish(compiled.jobs);
    const quota = request.claim && { ...request.claim, count: resultCount(pipeline) };
    const creation = await context.pipelines.createPipeline({
      pipeline,
      jobs,
      quota,
      idempotency,
      answers: answers(compiled),
    });
    if (isRefused(creation)) {
      throw quotaRefused({ ...request, ...(quota && { claim: quota }) }, creation);
    }
    if (creation.outcome === "replayed") {
      return creation;
    }
    for (const job of jobs.filter(({ waits }) => waits !== true)) {
      await sendJob(context, request, job);
    }
    return { outcome: "created", pipeline, jobs };
  } finally {
    release?.();
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
    throw invalidValue(pointer, detail);
  }
  const target = step.target_format ?? preset.targetFormat;
  return {
    ...step,
    ...(target !== undefined && { target_format: target }),
    options: { ...preset.options, ...step.options },
  };
};
