import { batch } from "@preact/signals";
import { AnyformError } from "../../../client/index.ts";
import { type Row, resetRow } from "./rows.ts";

/** Concurrent files: a few use the connection fully, and leave capacity for others. */
const CONCURRENT_MAX = 3;

export type Work = (row: Row, signal: AbortSignal) => Promise<void>;

/** Runs the work of rows, a few at a time. */
export interface Pool {
  add(row: Row, work: Work): void;
  cancel(row: Row): void;
}

/** @param onHalt called with an error that would affect every row; waiting rows are then removed from the pool */
export const createPool = (onHalt: (error: AnyformError) => void): Pool => {
  const waiting = new Map<Row, Work>();
  const running = new Map<Row, AbortController>();
  const next = (): void => {
    for (const [row, work] of waiting) {
      if (running.size >= CONCURRENT_MAX) {
        return;
      }
      waiting.delete(row);
      void run(row, work);
    }
  };
  const run = async (row: Row, work: Work): Promise<void> => {
    const abort = new AbortController();
    running.set(row, abort);
    try {
      await work(row, abort.signal);
      row.step.value = row.result.value === undefined ? "waiting" : "done";
    } catch (error) {
      if (abort.signal.aborted) {
        row.step.value = "cancelled";
      } else if (isHalting(errorOf(error))) {
        stop(row, errorOf(error));
      } else {
        row.problem.value = errorOf(error);
        row.step.value = "failed";
      }
    } finally {
      running.delete(row);
      next();
    }
  };
  const stop = (row: Row, error: AnyformError): void =>
    batch(() => {
      for (const each of [row, ...waiting.keys()]) {
        resetRow(each);
      }
      waiting.clear();
      onHalt(error);
    });
  return {
    add: (row, work) => {
      waiting.set(row, work);
      next();
    },
    cancel: (row) => {
      if (waiting.delete(row)) {
        row.step.value = "cancelled";
      }
      running.get(row)?.abort(new DOMException("Cancelled.", "AbortError"));
    },
  };
};

/** The client has already retried, and every other row would get the same error. */
const isHalting = ({ status }: AnyformError): boolean => status === 401 || status === 429;

/** @returns the error as a client error, so that all errors are shown in the same way */
export const errorOf = (error: unknown): AnyformError =>
  error instanceof AnyformError
    ? error
    : new AnyformError({
        code: "unexpected_answer",
        detail: error instanceof Error ? error.message : String(error),
        cause: error,
      });
