import { setTimeout as pause } from "node:timers/promises";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import type { JobFacts, Ledger } from "./ledger.ts";
import type { Receiver } from "./receiver.ts";
import type { Reference } from "./reference.ts";
import type { Reply, Wish } from "./stubborn.ts";
import type { ChaosTarget } from "./target.ts";

/** An account of the load, with its keys. */
export interface Account {
  readonly id: string;
  readonly live: string;
  readonly test: string;
}

/** All that there is when the trouble is over. */
export interface Aftermath {
  readonly target: ChaosTarget;
  readonly ledger: Ledger;
  readonly accounts: readonly Account[];
  readonly references: ReadonlyMap<string, Reference>;
  readonly receiver: Receiver;
  readonly send: (wish: Wish) => Promise<Reply>;
  readonly startedAt: number;
  /** Filled with how the jobs ended. */
  readonly ends: Map<string, number>;
}

/** One promise, how many things it was held against, and what broke it. */
export interface Verdict {
  readonly promise: string;
  readonly checked: number;
  readonly broken: readonly string[];
}

/** A job as it stands at the end; without a view it was deleted. */
export interface EndedJob {
  readonly facts: JobFacts;
  readonly id: string;
  readonly key: string;
  readonly view: JobView | undefined;
}

export const verdict = (promise: string, checked: number, broken: readonly string[]): Verdict => ({
  promise,
  checked,
  broken,
});

/** Milliseconds that time is let pass at once: leases, pauses and second messages all come within it. */
const STEP_MS = 10 * 60_000;
/** How far time is let pass in all, so that results are still there. */
const STEPS_MAX = 12;
/** Milliseconds without an end after which time is let pass. */
const STILL_MS_MAX = 7_000;
const LOOK_MS = 500;

/** The farthest that the service's clock is ahead. */
export const AHEAD_MS_MAX = STEPS_MAX * STEP_MS;

/** Lets time pass in steps until nothing is open. @param look gives what of it is still open @returns what is open even then */
export const letPass = async <Thing>(
  target: ChaosTarget,
  things: readonly Thing[],
  look: (open: readonly Thing[]) => Promise<readonly Thing[]>,
): Promise<readonly Thing[]> => {
  let open = things;
  for (let step = 0; step <= STEPS_MAX && open.length > 0; step += 1) {
    // Nothing is overdue before time passes, and on a busy machine a sweep takes as long as all that it would find.
    if (step > 0) {
      target.setClock(step * STEP_MS);
      await target.sweep();
    }
    for (let movedAt = Date.now(); open.length > 0 && Date.now() - movedAt < STILL_MS_MAX; ) {
      const left = await look(open);
      movedAt = left.length < open.length ? Date.now() : movedAt;
      open = left;
      await pause(open.length > 0 ? LOOK_MS : 0);
    }
  }
  return open;
};
