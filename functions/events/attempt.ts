import { laneHolds } from "../domain/conversions/engines.ts";
import { conversionLimits } from "../domain/conversions/lanes.ts";
import type { Options } from "../domain/conversions/options.ts";
import type { Route } from "../domain/conversions/plan.ts";
import type { Refusal } from "../domain/conversions/plan-fallbacks.ts";
import { JobError } from "../domain/errors.ts";
import type { ChangedRoute, Job, JobMove } from "../domain/jobs/job.ts";
import type { Context } from "../domain/ports.ts";
import type { ConversionResult } from "../engines/core/task.ts";
import { type TakenRoute, withFallbacks } from "../engines/core/with-fallbacks.ts";
import { asError, jobKeys, logger } from "../logger.ts";

/** One attempt of a job: it runs the converter until the file is converted, all engines refused it, or time is up. */

/** Limits of one run of the converter, and the steps that it runs. */
export interface RunLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly steps: Job["steps"];
}

/** The result of an attempt, and the route that led to it. */
export interface Attempt {
  readonly result: ConversionResult;
  readonly taken: TakenRoute;
}

/** Thrown when the next engine that reads the file is in another lane. */
export class LaneNeeded extends Error {
  override readonly name = "LaneNeeded";
  readonly move: JobMove;

  constructor(move: JobMove) {
    super(`The next engine is in the lane ${move.lane}.`);
    this.move = move;
  }
}

/** Milliseconds of a further run below which it would only time out. */
const RUN_MS_MIN = 1_000;

/**
 * Converts the file of a job within the time of its lane. If the engine of the first step refuses it as damaged or
 * unsupported, the next engine tries; if an engine crashes, it runs once more.
 *
 * @param run runs the converter in a new folder
 * @throws LaneNeeded; JobError as the engines do
 */
export const convertInAttempt = (
  context: Context,
  job: Job,
  signal: AbortSignal,
  run: (limits: RunLimits) => Promise<ConversionResult>,
): Promise<Attempt> => {
  const endsAt = context.clock() + conversionLimits(job.lane).timeoutMs;
  const remainingMs = () => endsAt - context.clock();
  return withFallbacks(
    { route: job, ...(job.refusal && { refusal: job.refusal }) },
    {
      convert: (steps) => withSecondRun(job, remainingMs, (timeoutMs) => run({ signal, timeoutMs, steps })),
      next: (refusal) => (remainingMs() < RUN_MS_MIN ? undefined : nextRoute(context, job, refusal)),
    },
  );
};

/** @returns the route by the next engine @throws LaneNeeded if the job's lane does not have it */
const nextRoute = ({ routes }: Context, job: Job, refusal: Refusal): TakenRoute | undefined => {
  const { sourceFormat: from, targetFormat: to, lane, further = [] } = job;
  const options = appliedOptions(job);
  const route = further.length > 0 ? undefined : routes.fallback({ from, to, options }, refusal.tried);
  if (route === undefined) {
    return undefined;
  }
  const { steps, fidelity, drops } = route;
  const kept = routes.find(from, to, Object.keys(options))?.drops ?? [];
  const taken = { steps, fidelity, refusal: { ...refusal, loses: drops.filter((trait) => !kept.includes(trait)) } };
  logger.info("another engine reads the file", { ...jobKeys(job), code: refusal.code, tried: refusal.tried.join() });
  if (!steps.every(({ engine }) => laneHolds(lane, engine))) {
    throw new LaneNeeded({ lane: route.lane, ...taken });
  }
  return { route: taken, refusal: taken.refusal };
};

/** @returns the options of the job that its route applies */
const appliedOptions = ({ options, steps }: Pick<Job, "options" | "steps">): Options => {
  const applied = new Set<string>(steps.flatMap((step: Route["steps"][number]) => step.options));
  return Object.fromEntries(Object.entries(options).filter(([name]) => applied.has(name)));
};

/** @returns the route that the ended job shows, if it is not the accepted one */
export const changeOf = ({ route: { steps, fidelity }, refusal }: TakenRoute): { changed?: ChangedRoute } =>
  refusal === undefined ? {} : { changed: { steps, fidelity, refusal } };

/**
 * Runs a conversion whose engine crashed once more, in a new process and the remaining time of the attempt. A file with
 * which engines crash twice is the cause: further attempts would crash as well.
 *
 * @throws JobError `unsupported_feature` after the second crash
 */
const withSecondRun = async (
  job: Job,
  remainingMs: () => number,
  run: (timeoutMs: number) => Promise<ConversionResult>,
): Promise<ConversionResult> => {
  try {
    return await run(remainingMs());
  } catch (error) {
    const timeoutMs = remainingMs();
    if (!isCrash(error) || timeoutMs < RUN_MS_MIN) {
      throw error;
    }
    logger.warn("engine crashed", { ...jobKeys(job), error: asError(error) });
    return await run(timeoutMs).catch((second: unknown) => {
      throw isCrash(second) ? crashedTwice(second) : second;
    });
  }
};

const isCrash = (error: unknown): boolean => error instanceof JobError && error.code === "engine_crashed";

const crashedTwice = (cause: unknown): JobError =>
  new JobError("unsupported_feature", "The file crashed the conversion twice. It is damaged or too complex.", {
    cause,
  });
