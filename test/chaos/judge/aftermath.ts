import { setTimeout as pause } from "node:timers/promises";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { Receiver } from "../receiver.ts";
import type { Reply, Wish } from "../stubborn.ts";
import type { ChaosTarget } from "../target.ts";
import type { JobFacts, Ledger } from "./ledger.ts";
import type { Reference } from "./reference.ts";

/** An account of the load, with its keys. */
export interface Account {
  readonly id: string;
  readonly live: string;
  readonly test: string;
  /** Requests per month. */
  readonly quota: number;
}

/** Everything that exists after the faults have ended. */
export interface Aftermath {
  readonly target: ChaosTarget;
  readonly ledger: Ledger;
  readonly accounts: readonly Account[];
  readonly references: ReadonlyMap<string, Reference>;
  readonly receiver: Receiver;
  readonly send: (wish: Wish) => Promise<Reply>;
  readonly startedAt: number;
  /** Milliseconds by which the service's clock is ahead since the faults have ended. */
  readonly ahead: { ms: number };
  /** Filled with the outcomes of the jobs. */
  readonly ends: Map<string, number>;
}

/** One guarantee, how many things were checked, and the violations. */
export interface Verdict {
  readonly promise: string;
  readonly checked: number;
  readonly broken: readonly string[];
}

/** A job in its final state; without a view it was deleted. */
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

/** Milliseconds per step in which time advances: leases, delays and second messages all fit. */
const STEP_MS = 10 * 60_000;
/** Steps of one wait; there are two, for jobs and for webhooks. Results have not expired after them. */
const STEPS_MAX = 12;
/** Milliseconds without an end after which time advances. */
const STILL_MS_MAX = 7_000;
/** The same for the last step: on a busy machine, what is due by then takes minutes. */
const LAST_STILL_MS_MAX = 120_000;
const LOOK_MS = 500;

/** The maximum that the service's clock is ahead. */
export const AHEAD_MS_MAX = 2 * STEPS_MAX * STEP_MS;

/**
 * Advances time in steps until nothing is open. It never goes back: what is due then would have to wait again.
 *
 * @param look returns what is still open
 * @returns what never ended
 */
export const letPass = async <Thing>(
  { target, ahead }: Pick<Aftermath, "target" | "ahead">,
  things: readonly Thing[],
  look: (open: readonly Thing[]) => Promise<readonly Thing[]>,
): Promise<readonly Thing[]> => {
  let open = things;
  for (let step = 0; step <= STEPS_MAX && open.length > 0; step += 1) {
    // Nothing is overdue before time advances, and on a busy machine a sweep takes as long as all that it would find.
    if (step > 0) {
      ahead.ms += STEP_MS;
      target.setClock(ahead.ms);
      await target.sweep();
    }
    const still = step === STEPS_MAX ? LAST_STILL_MS_MAX : STILL_MS_MAX;
    for (let movedAt = Date.now(); open.length > 0 && Date.now() - movedAt < still; ) {
      const left = await look(open);
      movedAt = left.length < open.length ? Date.now() : movedAt;
      open = left;
      await pause(open.length > 0 ? LOOK_MS : 0);
    }
  }
  return open;
};
