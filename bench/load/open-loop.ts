import { setTimeout as pause } from "node:timers/promises";
import { generator } from "../support/inputs.ts";
import type { LoadClient, Outcome } from "./load-client.ts";
import { type Kind, kindAt } from "./load-profile.ts";

/** One conversion of a load. */
export interface Arrival {
  readonly kind: Kind;
  readonly outcome: Outcome;
  /** Milliseconds from the scheduled start to the end, so that delays of the generator are not hidden. */
  readonly ms: number;
}

export interface Load {
  /** Conversions per second. */
  readonly rate: number;
  readonly seconds: number;
  readonly kinds: readonly Kind[];
  readonly clients: readonly LoadClient[];
}

/**
 * Sends conversions on schedule, whether earlier ones have ended or not, like independent clients (an open loop). The
 * pauses between them are exponentially distributed, with a fixed seed. Resolves when all have ended.
 */
export const openLoop = async ({ rate, seconds, kinds, clients }: Load): Promise<readonly Arrival[]> => {
  const random = generator(11);
  const running: Promise<Arrival>[] = [];
  const start = performance.now();
  for (let due = 0; due < 1_000 * seconds; due += (-1_000 * Math.log(1 - random())) / rate) {
    const early = start + due - performance.now();
    if (early > 1) {
      await pause(early);
    }
    const client = clients[running.length % clients.length];
    if (client !== undefined) {
      running.push(arrive(client, kindAt(kinds, random()), start + due));
    }
  }
  return Promise.all(running);
};

/** Keeps a fixed number of conversions running for the given time. @returns the ended conversions and their rate */
export const closedLoop = async ({
  atOnce,
  ...load
}: Omit<Load, "rate"> & { readonly atOnce: number }): Promise<{ arrivals: readonly Arrival[]; rate: number }> => {
  const random = generator(5);
  const arrivals: Arrival[] = [];
  const start = performance.now();
  const lane = async (_: unknown, index: number): Promise<void> => {
    const client = load.clients[index % load.clients.length];
    while (client !== undefined && performance.now() - start < 1_000 * load.seconds) {
      arrivals.push(await arrive(client, kindAt(load.kinds, random()), performance.now()));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const done = arrivals.filter(({ outcome }) => outcome.end === "done").length;
  return { arrivals, rate: (1_000 * done) / (performance.now() - start) };
};

const arrive = async (client: LoadClient, kind: Kind, due: number): Promise<Arrival> => {
  const outcome = await client(kind);
  return { kind, outcome, ms: performance.now() - due };
};
