import { fairSlots } from "./fair-slots.ts";

/** Tasks that stand in a table and are due. */
export interface DueTasks {
  /** @returns the next account with a task, in the order of IDs; undefined: none */
  accountAfter(accountId: string, now: number): string | undefined;
  /** @returns ids of the account's tasks, the longest overdue first */
  tasksOf(accountId: string, now: number, limit: number): readonly string[];
}

export interface FairTasks {
  /** Takes what is due while there is a place for it. */
  look(now: number): void;
  /** What is in hand. */
  running(): readonly Promise<unknown>[];
}

/**
 * Works on so many tasks at once, each only once at a time. Accounts share the slots, so one whose tasks wait for a
 * server that never answers holds half of them at the most, and they come in turn, one task each.
 *
 * @param work is not to reject
 */
export const fairTasks = (
  due: DueTasks,
  { atOnceMax, work }: { readonly atOnceMax: number; readonly work: (id: string) => Promise<unknown> },
): FairTasks => {
  const slots = fairSlots(atOnceMax);
  const busy = new Map<string, Promise<unknown>>();
  let last = "";

  const start = (accountId: string, now: number): boolean => {
    const giveBack = slots.take(accountId);
    // Running tasks are still due, so it is enough to read one more than the maximum number of running ones.
    const id = giveBack && due.tasksOf(accountId, now, atOnceMax + 1).find((task) => !busy.has(task));
    if (giveBack === undefined || id === undefined) {
      giveBack?.();
      return false;
    }
    const done = work(id).finally(() => {
      busy.delete(id);
      giveBack();
    });
    busy.set(id, done);
    return true;
  };

  /** Goes once around the accounts. @returns whether a task was started */
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
    look: (now) => {
      while (busy.size < atOnceMax && next(now)) {
        // Each turn starts one task; it ends when no account may have a further one.
      }
    },
    running: () => [...busy.values()],
  };
};
