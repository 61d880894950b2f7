import { quantile, timed } from "../support/figures.ts";
import { watched } from "../support/process-tree.ts";

/** Alternating rounds of several systems that do the same work, and their ratios to the first one. */

/** A system that converts. The first system of a comparison is its floor. */
export interface System {
  readonly name: string;
  readonly convert: (input: string) => Promise<unknown>;
  /** Process whose CPU time counts, with its descendants. @default this process */
  readonly root?: number;
}

export interface Rounds {
  readonly rounds: number;
  /** Conversions of each system per round. */
  readonly perRound: number;
  /** Concurrent conversions. @default 1 */
  readonly atOnce?: number;
  /** Conversions of each system that do not count, except as the first one. */
  readonly warmUps: number;
}

export interface Figures {
  readonly name: string;
  /** Milliseconds of the first conversion after the start of the system. */
  readonly coldMs: number;
  /** Milliseconds of each conversion. */
  readonly times: readonly number[];
  /** Milliseconds per conversion of each round: the median, or with concurrency the mean. */
  readonly rounds: readonly number[];
  /** Ratio of each round to the same round of the floor. */
  readonly ratios: readonly number[];
  /** CPU seconds of each conversion. */
  readonly cpuSeconds: number;
  readonly failed: number;
}

interface Tally {
  coldMs: number;
  cpuSeconds: number;
  failed: number;
  readonly times: number[];
  readonly rounds: number[];
}

/** @returns the systems in the order of this round: each is first once in as many rounds as there are systems */
export const rotated = <T>(systems: readonly T[], round: number): readonly T[] => {
  const first = round % Math.max(1, systems.length);
  return [...systems.slice(first), ...systems.slice(0, first)];
};

/**
 * Runs all systems in each round, in rotating order, so that changes of the machine's speed affect all of them. Failed
 * conversions are counted, and their times are not.
 */
export const alternate = async (
  systems: readonly System[],
  input: string,
  { rounds, perRound, atOnce = 1, warmUps }: Rounds,
): Promise<Figures[]> => {
  const tallies = new Map(systems.map((system) => [system, emptyTally()]));
  for (const [system, tally] of tallies) {
    tally.coldMs = (await batch(system, input, { count: 1, atOnce: 1 })).times[0] ?? Number.NaN;
    await batch(system, input, { count: warmUps - 1, atOnce });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [system, tally] of rotated([...tallies], round)) {
      const { result, usage } = await watched(system.root ?? process.pid, () =>
        batch(system, input, { count: perRound, atOnce }),
      );
      tally.times.push(...result.times);
      tally.failed += result.failed;
      tally.cpuSeconds += usage.cpuSeconds;
      tally.rounds.push(atOnce === 1 ? quantile(result.times, 0.5) : result.ms / result.times.length);
    }
  }
  const [floor] = tallies.values();
  return [...tallies].map(([{ name }, { cpuSeconds, ...tally }]) => ({
    name,
    ...tally,
    ratios: tally.rounds.map((ms, round) => ms / (floor?.rounds[round] ?? Number.NaN)),
    cpuSeconds: cpuSeconds / (rounds * perRound),
  }));
};

const emptyTally = (): Tally => ({ coldMs: Number.NaN, cpuSeconds: 0, failed: 0, times: [], rounds: [] });

interface Batch {
  readonly ms: number;
  readonly times: readonly number[];
  readonly failed: number;
}

const batch = async (
  { convert }: System,
  input: string,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
): Promise<Batch> => {
  const times: number[] = [];
  let [left, failed] = [count, 0];
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      try {
        times.push(await timed(() => convert(input)));
      } catch (error) {
        failed += 1;
        console.error(error instanceof Error ? error.message : error);
      }
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: atOnce }, client)));
  return { ms, times, failed };
};
