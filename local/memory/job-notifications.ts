import type { JobNotifications } from "../../functions/domain/ports.ts";

export interface LocalNotifications extends JobNotifications {
  /** Wakes all requests that wait for the job, in all processes. */
  notify(jobId: string): void;
  /** Wakes those of this process. */
  wake(jobId: string): void;
  /** Calls the listener with each job of `notify`. */
  onNotify(listener: (jobId: string) => void): void;
}

/** Each waiting request is a callback, by job ID, and a timer. */
export const jobNotifications = (): LocalNotifications => {
  const waiting = new Map<string, Set<() => void>>();
  let notified = (_: string): void => {};
  const leave = (jobId: string, wake: () => void): void => {
    const others = waiting.get(jobId);
    others?.delete(wake);
    if (others?.size === 0) {
      waiting.delete(jobId);
    }
  };
  const wakeAll = (jobId: string): void => {
    for (const wake of [...(waiting.get(jobId) ?? [])]) {
      wake();
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
      wakeAll(jobId);
      notified(jobId);
    },
    wake: wakeAll,
    onNotify: (listener) => {
      notified = listener;
    },
  };
};
