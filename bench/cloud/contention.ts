import { pauseMsMax } from "../../functions/adapters/dynamo/writes.ts";
import { CONFLICT_TRIES_MAX } from "../../functions/domain/limits.ts";

/**
 * A model of the counts of one account: transactions that each write one of some records. DynamoDB cancels a transaction
 * whose record another one holds; the adapter retries it with any of the records. How long a transaction holds its
 * records is not documented: 5 to 20 ms are assumed.
 */
export interface Counts {
  readonly conversionsPerSecond: number;
  /** Records that the counts are spread over. */
  readonly records: number;
  readonly heldMs: number;
}

export interface Contention {
  /** Share of conversions of which a count failed. */
  readonly failed: number;
  /** The 99th percentile of the delay of a count, in milliseconds. */
  readonly delayMs: number;
}

/** Upload, conversion, end of the job, download. */
const COUNTS_PER_CONVERSION = 4;
const SECONDS = 60;
/** Milliseconds until a cancelled transaction is answered. */
const CANCELLED_MS = 4;
const PRECISION_MS = 0.1;

interface Attempt {
  readonly at: number;
  readonly startedAt: number;
  readonly tries: number;
}

/** Simulates a minute of constant load. */
export const contention = ({ conversionsPerSecond, records, heldMs }: Counts): Contention => {
  const random = sequence();
  const freeAt = new Float64Array(records);
  const slots = slotsOf(conversionsPerSecond * COUNTS_PER_CONVERSION, random);
  const delays: number[] = [];
  let failed = 0;
  // Retries are added to later slots, at most eleven times per count.
  for (let slot = 0; slot < slots.length; slot += 1) {
    for (const { at, startedAt, tries } of slots[slot] ?? []) {
      const record = Math.floor(random() * records);
      if ((freeAt[record] ?? 0) <= at) {
        freeAt[record] = at + heldMs;
        delays.push(at - startedAt);
        continue;
      }
      if (tries === CONFLICT_TRIES_MAX) {
        failed += 1;
        continue;
      }
      const next = at + CANCELLED_MS + random() * pauseMsMax(tries);
      const later = Math.max(slot + 1, Math.floor(next / PRECISION_MS));
      slots[later] ??= [];
      slots[later].push({ at: next, startedAt, tries: tries + 1 });
    }
  }
  const share = failed / (delays.length + failed);
  delays.sort((one, other) => one - other);
  return { failed: 1 - (1 - share) ** COUNTS_PER_CONVERSION, delayMs: delays[Math.floor(delays.length * 0.99)] ?? 0 };
};

/** @returns the first attempts of counts at random times, by time */
const slotsOf = (perSecond: number, random: () => number): (Attempt[] | undefined)[] => {
  const slots: (Attempt[] | undefined)[] = [];
  for (let at = 0; at < SECONDS * 1_000; at += (Math.log(1 / (1 - random())) * 1_000) / perSecond) {
    const slot = Math.floor(at / PRECISION_MS);
    slots[slot] ??= [];
    slots[slot].push({ at, startedAt: at, tries: 1 });
  }
  return slots;
};

/** @returns the same numbers between 0 and 1 in each run (a linear congruential generator, Numerical Recipes) */
const sequence = (): (() => number) => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
