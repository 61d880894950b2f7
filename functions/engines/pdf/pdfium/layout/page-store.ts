import { appendFileSync, closeSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

/** Values of pages, in the order in which they were added. Those of a long document are in a file. */
export interface PageStore<T> extends Iterable<T> {
  readonly length: number;
  add(value: T): void;
  /** Removes all values. */
  clear(): void;
}

/** Values that stay in memory: most documents need no file. */
const KEPT_MAX = 12;

/** @param folder the task's folder, where the file `name` is written if there are many values */
export const pageStore = <T>(folder: string, name: string): PageStore<T> => {
  const path = join(folder, name);
  const kept: T[] = [];
  const sizes: number[] = [];
  return {
    get length() {
      return kept.length + sizes.length;
    },
    add: (value) => {
      if (kept.length < KEPT_MAX) {
        kept.push(value);
        return;
      }
      const bytes = serialize(value);
      appendFileSync(path, bytes);
      sizes.push(bytes.length);
    },
    clear: () => {
      rmSync(path, { force: true });
      kept.length = 0;
      sizes.length = 0;
    },
    *[Symbol.iterator]() {
      yield* kept;
      if (sizes.length > 0) {
        yield* storedValues<T>(path, sizes);
      }
    },
  };
};

const storedValues = function* <T>(path: string, sizes: readonly number[]): Generator<T> {
  const file = openSync(path, "r");
  try {
    for (const size of sizes) {
      const bytes = Buffer.allocUnsafe(size);
      if (readSync(file, bytes) < size) {
        throw new Error(`The file ${path} is truncated.`);
      }
      yield deserialize(bytes) as T;
    }
  } finally {
    closeSync(file);
  }
};
