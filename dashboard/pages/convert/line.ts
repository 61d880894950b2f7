import { batch } from "@preact/signals";
import { AnyformError } from "../../../client/index.ts";
import { type Row, resetRow } from "./rows.ts";

/** Files at once: a few keep a line full, and leave the service to others. */
const AT_ONCE = 3;

export type Work = (row: Row, signal: AbortSignal) => Promise<void>;

/** Where rows wait for their turn. */
export interface Line {
  enter(row: Row, work: Work): void;
  cancel(row: Row): void;
}

/** @param onHalt hears what would stop every row alike; those that wait leave the line then */
export const makeLine = (onHalt: (error: AnyformError) => void): Line => {
  const waiting = new Map<Row, Work>();
  const running = new Map<Row, AbortController>();
  const next = (): void => {
    for (const [row, work] of waiting) {
      if (running.size >= AT_ONCE) {
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
    enter: (row, work) => {
      waiting.set(row, work);
      next();
    },
    cancel: (row) => {
      if (waiting.delete(row)) {
        row.step.value = "cancelled";
      }
      running.get(row)?.abort(new DOMException("It was cancelled.", "AbortError"));
    },
  };
};

/** The client has waited as often as it makes sense; the next row would hear the same. */
const isHalting = ({ status }: AnyformError): boolean => status === 401 || status === 429;

/** @returns the error as the client has its own, so that all are shown alike */
export const errorOf = (error: unknown): AnyformError =>
  error instanceof AnyformError
    ? error
    : new AnyformError({
        code: "unexpected_answer",
        detail: error instanceof Error ? error.message : String(error),
        cause: error,
      });
