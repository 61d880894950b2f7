import type { DatabaseSync } from "node:sqlite";
// Imported, so that tests with simulated timers do not stop them.
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import type { transactions } from "./transactions.ts";

/** Transactions that work of one turn of the event loop shares: ten changes write few more pages than one. */
export interface SharedTransactions {
  /**
   * Runs the work in the transaction of this turn, and resolves when it is committed. Called by other work, it runs in
   * the same transaction, after that work.
   * @throws errors of the work, which has changed nothing then, and of the transaction
   */
  run<T>(work: () => T): Promise<T>;
  /** The same in the next transaction, at the latest after the milliseconds. */
  runWithin<T>(milliseconds: number, work: () => T): Promise<T>;
  /** Commits what waits for a transaction. */
  flush(): void;
}

/** Work that waits for its transaction. */
interface Waiting {
  /** Runs the work. @returns a function that reports its result */
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

export const sharedTransactions = (
  connection: DatabaseSync,
  transaction: ReturnType<typeof transactions>,
): SharedTransactions => {
  const [save, release, restore] = [
    connection.prepare("SAVEPOINT work"),
    connection.prepare("RELEASE work"),
    connection.prepare("ROLLBACK TO work"),
  ];
  let waiting: Waiting[] = [];
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer ends. */
  let dueAt = Number.POSITIVE_INFINITY;

  /** @returns a function that reports the result of the work, or its error */
  const separately = ({ run, reject }: Waiting): (() => void) => {
    save.run();
    try {
      return run();
    } catch (error) {
      // After some errors, such as a full disk, SQLite has rolled back the transaction, with the work of others.
      if (!connection.isTransaction) {
        throw error;
      }
      restore.run();
      return () => reject(error);
    } finally {
      if (connection.isTransaction) {
        release.run();
      }
    }
  };

  const taken = (): Waiting[] => {
    const works = waiting;
    waiting = [];
    isDue = false;
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
    return works;
  };

  const flush = (): void => {
    const works = taken();
    const [first, ...others] = works;
    if (first === undefined) {
      return;
    }
    const runAll = (): (() => void)[] => {
      const reports = others.length === 0 ? [first.run()] : works.map(separately);
      const added = taken();
      works.push(...added);
      return [...reports, ...added.map(separately)];
    };
    try {
      for (const report of transaction(runAll)) {
        report();
      }
    } catch (error) {
      for (const { reject } of works) {
        reject(error);
      }
    }
  };

  const add = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const result = work();
        return () => resolve(result);
      };
      waiting.push({ run, reject });
    });

  return {
    run: (work) => {
      if (!isDue) {
        isDue = true;
        setImmediate(flush);
      }
      return add(work);
    },
    runWithin: (milliseconds, work) => {
      const at = performance.now() + milliseconds;
      if (at < dueAt) {
        clearTimeout(timer);
        dueAt = at;
        timer = setTimeout(flush, milliseconds);
      }
      return add(work);
    },
    flush,
  };
};
