import { setTimeout } from "node:timers/promises";
import { outageOf } from "../../functions/domain/resource-errors.ts";

/** Milliseconds that a write waits for another process, for example the accounts command. */
export const BUSY_MS_MAX = 5_000;

/**
 * Milliseconds between attempts. An attempt takes microseconds, and most writes of other processes are shorter than
 * this.
 */
const PAUSE_MS = 10;

/**
 * Runs the work as soon as no other process locks the database. Each attempt is atomic, so it can be repeated; the
 * process continues with other work in between.
 *
 * @throws errors of the work; SQLite's error if the database stays busy for `milliseconds`
 */
export const whenFree = async <T>(work: () => T, milliseconds: number): Promise<T> => {
  for (let left = attempts(milliseconds); ; left -= 1) {
    try {
      return work();
    } catch (error) {
      if (left <= 0 || outageOf(error) !== "database_busy") {
        throw error;
      }
      await setTimeout(PAUSE_MS);
    }
  }
};

/** The synchronous version, which blocks the process while it waits. */
export const whenFreeSync = <T>(work: () => T, milliseconds: number): T => {
  for (let left = attempts(milliseconds); ; left -= 1) {
    try {
      return work();
    } catch (error) {
      if (left <= 0 || outageOf(error) !== "database_busy") {
        throw error;
      }
      Atomics.wait(neverNotified, 0, 0, PAUSE_MS);
    }
  }
};

const attempts = (milliseconds: number): number => Math.ceil(milliseconds / PAUSE_MS);

const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
