import type { JobError } from "../../../domain/errors.ts";

/** The exit of a converter process. */
export interface ProcessExit {
  /**
   * @param listener called once, after the process has exited, with the error for its exit
   * @returns a function that removes the listener. A handler of a promise cannot be removed, so each conversion of a
   * process would keep its input in memory until the process exits.
   */
  listen(listener: (error: JobError) => void): () => void;
}

/** @param exited resolves after the process has exited, and never rejects */
export const processExit = (exited: Promise<JobError>): ProcessExit => {
  const listeners = new Set<(error: JobError) => void>();
  let error: JobError | undefined;
  void exited.then((end) => {
    error = end;
    for (const listener of listeners) {
      listener(end);
    }
    listeners.clear();
  });
  return {
    listen: (listener) => {
      if (error !== undefined) {
        listener(error);
        return () => {};
      }
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
