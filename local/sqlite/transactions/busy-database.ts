import { setTimeout } from "node:timers/promises";
import { outageOf } from "../../../functions/domain/errors/resource-errors.ts";

/** Milliseconds that a write waits for another process, for example the accounts command. */
export const BUSY_MS_MAX = 5_000;

/**
 * Milliseconds between attempts. An attempt takes microseconds, and most writes of other processes are shorter than
 * this.
 */
const PAUSE_MS = 10;

/** Milliseconds between attempts during an outage, for example while the disk is full. */
const OUTAGE_PAUSE_MS = 200;

/** How long an outcome is kept in memory during an outage: longer than any lease, after which it is no longer valid. */
const OUTAGE_MS_MAX = 3_600_000;

/**
 * Runs the work as soon as no other process locks the database. Each attempt is atomic, so it can be repeated; the
 * process continues with other work in between.
 *
 * @throws errors of the work; SQLite's error if the database stays busy for `milliseconds`
 */
export const whenFree = <T>(work: () => Promise<T>, milliseconds: number): Promise<T> =>
  repeated(work, { pauseMs: PAUSE_MS, milliseconds, isTemporary: (error) => outageOf(error) === "database_busy" });

/** Writes that are repeated until an outage ends. */
export interface OutageWrites {
  /**
   * Runs the work as soon as the database can be written to.
   * @throws errors of the work that are no outage; the outage's error after an hour
   */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** @returns the number of writes that an outage delays */
  delayed(): number;
}

export const outageWrites = (): OutageWrites => {
  let delayed = 0;
  return {
    write: async (work) => {
      try {
        return await work();
      } catch (error) {
        if (outageOf(error) === undefined) {
          throw error;
        }
      }
      delayed += 1;
      try {
        return await repeated(work, {
          pauseMs: OUTAGE_PAUSE_MS,
          milliseconds: OUTAGE_MS_MAX,
          isTemporary: (error) => outageOf(error) !== undefined,
        });
      } finally {
        delayed -= 1;
      }
    },
    delayed: () => delayed,
  };
};

interface Repetition {
  readonly pauseMs: number;
  readonly milliseconds: number;
  readonly isTemporary: (error: unknown) => boolean;
}

const repeated = async <T>(work: () => Promise<T>, { pauseMs, milliseconds, isTemporary }: Repetition): Promise<T> => {
  for (let left = Math.ceil(milliseconds / pauseMs); ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left <= 0 || !isTemporary(error)) {
        throw error;
      }
      await setTimeout(pauseMs);
    }
  }
};
