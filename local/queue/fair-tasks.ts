import { fairSlots } from "./fair-slots.ts";

/** Due tasks in a table. */
export interface DueTasks {
  /** @returns the next account with a due task, in the order of IDs; undefined if there is none */
  accountAfter(accountId: string, now: number): string | undefined;
  /** @returns IDs of the account's due tasks, longest overdue first */
  tasksOf(accountId: string, now: number, limit: number): readonly string[];
}

export interface FairTasks {
  /** Starts due tasks while slots are free. */
  poll(now: number): void;
  /** The running tasks. */
  running(): readonly Promise<unknown>[];
}

/**
 * Runs up to `concurrencyMax` tasks, never the same one twice at a time. Accounts take turns, one task each, and share
 * the slots: an account whose tasks wait for a server that never responds holds at most half of them.
 *
 * @param work must not reject
 */
export const fairTasks = (
  due: DueTasks,
  { concurrencyMax, work }: { readonly concurrencyMax: number; readonly work: (id: string) => Promise<unknown> },
): FairTasks => {
  const slots = fairSlots(concurrencyMax);
  const busy = new Map<string, Promise<unknown>>();
  let last = "";

  const start = (accountId: string, now: number): boolean => {
    const release = slots.take(accountId);
    // Running tasks are still due, so it is enough to read one more than the maximum number of running ones.
    const id = release && due.tasksOf(accountId, now, concurrencyMax + 1).find((task) => !busy.has(task));
    if (release === undefined || id === undefined) {
      release?.();
      return false;
    }
    const done = work(id).finally(() => {
      busy.delete(id);
      release();
    });
    busy.set(id, done);
    return true;
  };

  /** Tries each account once. @returns whether a task was started */
  const next = (now: number): boolean => {
    const after = (accountId: string) => due.accountAfter(accountId, now) ?? due.accountAfter("", now);
    const first = after(last);
    for (let accountId = first; accountId !== undefined; ) {
      if (start(accountId, now)) {
        last = accountId;
        return true;
      }
      accountId = after(accountId);
      if (accountId === first) {
        return false;
      }
    }
    return false;
  };

  return {
    poll: (now) => {
      while (busy.size < concurrencyMax && next(now)) {
        // Each call starts one task. The loop ends when no account can start another.
      }
    },
    running: () => [...busy.values()],
  };
};
