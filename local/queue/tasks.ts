import { EventEmitter } from "node:events";
import type { TaskQueue } from "../../functions/domain/task-ports.ts";

/** The background tasks of one machine, for its worker. */
export interface LocalTasks extends TaskQueue {
  /** Calls the listener whenever there may be new tasks. */
  onTask(listener: () => void): void;
  /** There may be new tasks. */
  wake(): void;
}

/**
 * Pending work is stored in the tables of uploads and webhooks with its due time, so a task only wakes the worker,
 * which reads them. Expired results are deleted by the retention.
 */
export const localTasks = (): LocalTasks => {
  const events = new EventEmitter<{ task: [] }>();
  const wakeNow = (): void => {
    events.emit("task");
  };
  const wake = async (): Promise<void> => wakeNow();
  return {
    wake: wakeNow,
    importUpload: wake,
    checkUpload: wake,
    deliver: wake,
    export: wake,
    erase: async () => {},
    // A failed task stays due, and is polled.
    redeliver: wake,
    onTask: (listener) => {
      events.on("task", listener);
    },
  };
};
