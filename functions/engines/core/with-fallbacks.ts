import type { Route } from "../../domain/conversions/plan.ts";
import { fallbackWarning, READERS_MAX, type Refusal, readerOf } from "../../domain/conversions/plan-fallbacks.ts";
import { JobError, type JobErrorCode } from "../../domain/errors.ts";
import type { Warning } from "../../domain/warning.ts";
import { FileRefused, HelperNeeded } from "./engine.ts";

/** The route that a job takes, and why it is not the one with which it was accepted. */
export interface TakenRoute {
  readonly route: Pick<Route, "steps" | "fidelity">;
  readonly refusal?: Refusal;
}

interface Conversions<T> {
  readonly convert: (steps: Route["steps"]) => Promise<T>;
  /**
   * @param refusal why the previous routes failed
   * @returns the next route, and what it loses; undefined if no other engine reads the file
   */
  readonly next: (refusal: Refusal) => TakenRoute | undefined;
}

/**
 * Converts a file. If the engine of the first step refuses it as damaged or unsupported, the next one that reads the
 * format tries, up to {@link READERS_MAX}.
 *
 * @returns the result, and the route that led to it
 * @throws the error of the first engine if none reads the file; `password_required` if one reports that
 */
export const withFallbacks = async <T>(
  first: TakenRoute,
  { convert, next }: Conversions<T>,
): Promise<{ readonly result: T; readonly taken: TakenRoute }> => {
  let taken: TakenRoute | undefined = first;
  let failure: JobError | undefined;
  for (let tries = 0; taken !== undefined && tries < READERS_MAX; tries += 1) {
    try {
      return { result: await convert(taken.route.steps), taken };
    } catch (error) {
      const refusal = refusalAfter(error, taken);
      failure = new JobError(refusal.code, refusal.detail, { cause: error });
      taken = next(refusal);
    }
  }
  throw failure;
};

/** @returns the warning if another engine than that of the accepted route read the file */
export const warningsOf = ({ route, refusal }: TakenRoute): Warning[] => {
  const [step] = route.steps;
  return refusal === undefined || step === undefined ? [] : [fallbackWarning(refusal, readerOf(step))];
};

/** Errors of a fallback that are reported instead of the first engine's: they say more about the file, or the job. */
const REPORTED: readonly JobErrorCode[] = ["password_required", "cancelled"];

/** @returns the refusal with this reader @throws the error, if no other engine may read the file */
const refusalAfter = (error: unknown, { route, refusal }: TakenRoute): Refusal => {
  const [step] = route.steps;
  const reader = step === undefined ? [] : [readerOf(step)];
  if (refusal === undefined) {
    if (error instanceof FileRefused) {
      return { code: error.code, detail: error.message, tried: reader };
    }
    throw error;
  }
  if (error instanceof HelperNeeded || (error instanceof JobError && REPORTED.includes(error.code))) {
    throw error;
  }
  const { code, detail, tried } = refusal;
  return { code, detail, tried: [...tried, ...reader] };
};
