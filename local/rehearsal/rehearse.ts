import { type Flows, flowsOf } from "./flows.ts";
import { openStage, type StageSettings } from "./stage.ts";

/**
 * Converts a small image 80 times after the start, as a client would, in a second service without clients. V8
 * compiles what it runs often: without it, the first conversions of a client take up to three times as long as
 * later ones. The functions are the same, so what is compiled for the one service serves the other.
 */

/**
 * Rounds, and conversions in one round. With five times as many, the first conversions of a client are no faster, and later
 * ones slower: V8 then optimizes functions for the objects of the second service.
 */
const ROUNDS = 8;
const ONE_CALLS = 8;
const SEPARATE_CALLS = 2;

/** A rehearsal that takes longer is given up: the service has clients, which have the same effect. */
const REHEARSAL_MS_MAX = 120_000;

export interface RehearsalSettings extends StageSettings {
  /** Resolves when no client has sent a request for a moment or has a file converted, or when the signal is aborted. */
  readonly whenIdle: (signal: AbortSignal) => Promise<void>;
  /** Aborted when the service is stopped. */
  readonly signal: AbortSignal;
  /** @default ROUNDS */
  readonly rounds?: number;
}

/** @returns the number of conversions @throws Error when a conversion fails; the service works without a rehearsal */
export const rehearse = async ({
  whenIdle,
  signal,
  rounds = ROUNDS,
  ...settings
}: RehearsalSettings): Promise<number> => {
  const stage = await openStage(settings);
  const flows = flowsOf(stage);
  const { oneCall, separateCalls } = flows;
  const each: readonly Flows["oneCall"][] = [
    ...Array.from({ length: ONE_CALLS }, () => oneCall),
    ...Array.from({ length: SEPARATE_CALLS }, () => separateCalls),
  ];
  const over = AbortSignal.any([signal, AbortSignal.timeout(REHEARSAL_MS_MAX)]);
  let count = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const convert of each) {
        await whenIdle(over);
        if (over.aborted) {
          return count;
        }
        await convert();
        count += 1;
      }
    }
    return count;
  } finally {
    flows.close();
    await stage.close();
  }
};
