import { setTimeout } from "node:timers/promises";
import { outageOf } from "../../functions/domain/resource-errors.ts";

/** Milliseconds that a write waits for another process, for example the accounts command. */
export const BUSY_MS_MAX = 5_000;

/** Milliseconds between two tries. One takes some microseconds, and most of what others write takes less than this. */
const PAUSE_MS = 10;

/**
 * Runs the work as soon as no other process locks the database. Each attempt is atomic, so it can be repeated; the
 * process continues with other work in between.
 *
 * @throws what the work throws; SQLite's own error when the database stays busy for so many milliseconds
 */
export const whenFree = async <T>(work: () => T, milliseconds: number): Promise<T> => {
  for (let left = tries(milliseconds); ; left -= 1) {
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

/** The synchronous version: blocks the process while it waits. */
export const whenFreeAtOnce = <T>(work: () => T, milliseconds: number): T => {
  for (let left = tries(milliseconds); ; left -= 1) {
    try {
      return work();
    } catch (error) {
      if (left <= 0 || outageOf(error) !== "database_busy") {
        throw error;
      }
      Atomics.wait(nobodyWakes, 0, 0, PAUSE_MS);
    }
  }
};

const tries = (milliseconds: number): number => Math.ceil(milliseconds / PAUSE_MS);

const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
