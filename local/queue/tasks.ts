import { EventEmitter } from "node:events";
import type { TaskQueue } from "../../functions/domain/ports.ts";

/** The background work of one machine, as its worker sees it. */
export interface LocalTasks extends TaskQueue {
  /** Calls the listener whenever there may be work. */
  onTask(listener: () => void): void;
}

/**
 * What is to be done is stored in the tables of uploads and webhooks, with its time: a task only wakes the worker, which
 * reads them. Expired results are erased by the retention, which reads its own.
 */
export const localTasks = (): LocalTasks => {
  const events = new EventEmitter<{ task: [] }>();
  const wake = async (): Promise<void> => {
    events.emit("task");
  };
  return {
    importUpload: wake,
    deliver: wake,
    erase: async () => {},
    onTask: (listener) => {
      events.on("task", listener);
    },
  };
};
