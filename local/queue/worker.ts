import type { LocalContext } from "../context.ts";
import { fairTasks } from "./fair-tasks.ts";

/**
 * Does the background work that the tables hold: uploads to fetch or to check, messages to webhooks. It starts at once when
 * there is a new task, and checks each second.
 */
export interface Worker {
  /** Checks now. */
  wake(): void;
  /** Takes nothing new. Resolves when what is in hand has ended, or after so many milliseconds. */
  drain(milliseconds: number): Promise<void>;
}

/**
 * Uploads that are worked on at once, and messages: each waits for somebody else's server most of its time, and a slow
 * one must not hold up the other kind. An account alone has eight of each.
 */
const AT_ONCE_MAX = 16;
const CHECK_MS = 1_000;

export interface WorkerTasks {
  readonly importUpload: (id: string) => Promise<unknown>;
  /** Ends an upload that failed through our fault as often as it may. */
  readonly failUpload: (id: string) => Promise<unknown>;
  readonly deliver: (id: string) => Promise<unknown>;
  readonly onError: (error: unknown, about?: Readonly<Record<string, string>>) => void;
}

/** Times that an upload is tried before it fails for good: as often as a queue on AWS delivers its message. */
const ATTEMPTS_MAX = 4;

const withAttempts = ({ importUpload, failUpload }: Pick<WorkerTasks, "importUpload" | "failUpload">) => {
  const failures = new Map<string, number>();
  return async (id: string): Promise<void> => {
    try {
      await importUpload(id);
      failures.delete(id);
    } catch (error) {
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
  const imports = fairTasks(uploads.due, { atOnceMax: AT_ONCE_MAX, work: reporting(withAttempts(uploading)) });
  const deliveries = fairTasks(webhooks.tasks, { atOnceMax: AT_ONCE_MAX, work: reporting(deliver) });
  let draining = false;
  const wake = (): void => {
    try {
      for (const kind of draining ? [] : [imports, deliveries]) {
        kind.look(clock());
      }
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(wake, CHECK_MS);
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
