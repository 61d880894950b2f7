import { outageOf } from "../../functions/domain/errors/resource-errors.ts";
import type { LocalContext } from "../context.ts";
import { fairTasks } from "./fair-tasks.ts";

/**
 * Runs the background tasks in the tables: uploads to fetch or check, and webhook messages. Starts immediately on a new
 * task, and polls every second.
 */
export interface Worker {
  /** Polls now. */
  wake(): void;
  /** Starts no new tasks. Resolves when the running tasks have ended, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
}

/**
 * Maximum number of concurrent uploads, and of concurrent messages. Both mostly wait for external servers, and a slow
 * kind must not delay the other. A single account gets at most eight of each.
 */
const CONCURRENCY_MAX = 16;
const POLL_MS = 1_000;

export interface WorkerTasks {
  readonly importUpload: (id: string) => Promise<unknown>;
  /** Fails an upload after the last attempt that ended with an internal error. */
  readonly failUpload: (id: string) => Promise<unknown>;
  readonly deliver: (id: string) => Promise<unknown>;
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
}

/** Attempts before an upload fails permanently. */
const ATTEMPTS_MAX = 4;

const withAttempts = ({ importUpload, failUpload }: Pick<WorkerTasks, "importUpload" | "failUpload">) => {
  const failures = new Map<string, number>();
  return async (id: string): Promise<void> => {
    try {
      await importUpload(id);
      failures.delete(id);
    } catch (error) {
      // An outage of this machine is not the upload's fault.
      if (outageOf(error) !== undefined) {
        throw error;
      }
      const count = (failures.get(id) ?? 0) + 1;
      failures.set(id, count);
      if (count >= ATTEMPTS_MAX) {
        failures.delete(id);
        await failUpload(id);
      }
      throw error;
    }
  };
};

export const worker = (
  { uploads, webhooks, tasks, clock }: Pick<LocalContext, "uploads" | "webhooks" | "tasks" | "clock">,
  { deliver, onError, ...uploading }: WorkerTasks,
): Worker => {
  const reporting = (work: (id: string) => Promise<unknown>) => (id: string) =>
    work(id).catch((error: unknown) => onError(error, { task_id: id }));
  const imports = fairTasks(uploads.due, { concurrencyMax: CONCURRENCY_MAX, work: reporting(withAttempts(uploading)) });
  const deliveries = fairTasks(webhooks.tasks, { concurrencyMax: CONCURRENCY_MAX, work: reporting(deliver) });
  let draining = false;
  const wake = (): void => {
    try {
      for (const kind of draining ? [] : [imports, deliveries]) {
        kind.poll(clock());
      }
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(wake, POLL_MS);
  tasks.onTask(wake);
  return {
    wake,
    drain: async (milliseconds) => {
      draining = true;
      clearInterval(timer);
      let late: NodeJS.Timeout | undefined;
      const over = new Promise((resolve) => {
        late = setTimeout(resolve, milliseconds);
      });
      await Promise.race([Promise.all([...imports.running(), ...deliveries.running()]), over]);
      clearTimeout(late);
    },
  };
};
