import type { JobNotices } from "../../functions/domain/ports.ts";

export interface LocalNotices extends JobNotices {
  /** Wakes all that wait for the job. */
  notify(jobId: string): void;
}

/** Notices inside one process: each request that waits is a function under its job's id, and a timer. */
export const jobNotices = (): LocalNotices => {
  const waiting = new Map<string, Set<() => void>>();
  const leave = (jobId: string, wake: () => void): void => {
    const others = waiting.get(jobId);
    others?.delete(wake);
    if (others?.size === 0) {
      waiting.delete(jobId);
    }
  };
  return {
    changed: (jobId, milliseconds) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          leave(jobId, wake);
          resolve();
        };
        // Nobody may be waiting any more, and then the timer must not keep the process from ending.
        const timer = setTimeout(wake, milliseconds).unref();
        waiting.set(jobId, (waiting.get(jobId) ?? new Set()).add(wake));
      }),
    notify: (jobId) => {
      for (const wake of [...(waiting.get(jobId) ?? [])]) {
        wake();
      }
    },
  };
};
