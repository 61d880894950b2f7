import { AnyformError, ConversionError } from "../http/errors.ts";
import { sleep } from "../http/retry.ts";
import { exitOf, lineOf } from "./exit.ts";

/** For commands that run until they are interrupted: they outlast a service that is unavailable. */
export interface Backoff {
  /** Notes that a request failed, and prints why when it is the first of a series. */
  failed(error: unknown): void;
  /** Notes that a request succeeded. */
  succeeded(): void;
  /** Milliseconds to wait before the next request; 0 while the service is available. */
  remaining(): number;
}

/** The pause doubles from the first to the longest. */
const PAUSE_MS_FIRST = 1_000;
const PAUSE_MS_MAX = 60_000;

export const backoff = (warn: (text: string) => void): Backoff => {
  let pause = 0;
  let until = 0;
  return {
    failed: (error) => {
      // Requests that run at the same time fail together and count once.
      if (Date.now() < until) {
        return;
      }
      if (pause === 0) {
        warn(`anyform: ${lineOf(error)} Waiting for the service.`);
      }
      pause = Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_FIRST, pause * 2));
      until = Date.now() + pause;
    },
    succeeded: () => {
      if (pause > 0) {
        warn("anyform: the service is available again.");
      }
      pause = 0;
      until = 0;
    },
    remaining: () => Math.max(0, until - Date.now()),
  };
};

/** @returns whether the request may succeed later. The error of a job is final: it concerns one file. */
export const isTemporary = (error: unknown): boolean => {
  const exit = exitOf(error);
  if (exit === "unreachable" || exit === "quota") {
    return true;
  }
  return error instanceof AnyformError && !(error instanceof ConversionError) && error.retryable;
};

/** Waits; ends early when the signal aborts. */
export const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, signal).catch((error: unknown) => {
    if (!signal.aborted) {
      throw error;
    }
  });
