import type { JobNotifications } from "../../functions/domain/ports.ts";

export interface LocalNotifications extends JobNotifications {
  /** Wakes all requests that wait for the job. */
  notify(jobId: string): void;
}

/** Notifications within one process: each waiting request is a callback, by job ID, and a timer. */
export const jobNotifications = (): LocalNotifications => {
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
        // The process may exit while requests wait, so the timer must not keep it running.
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
