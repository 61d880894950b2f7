import type { Needs } from "./imports.ts";

/** A pair of formats with the dependencies of its contract test. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly engines: readonly string[];
  /** Path of the fixture, from the root, and its size in bytes. */
  readonly sample: string;
  readonly sampleBytes: number;
}

/** What a change affects. Paths are from the root. */
export interface Touched {
  readonly files: ReadonlySet<string>;
  /** Folders of changed files that are not modules: Python programs, settings. */
  readonly folders: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  /** Formats whose rows differ. */
  readonly formats: ReadonlySet<string>;
  /** Pairs, as `from to`, whose conversion differs. */
  readonly pairs: ReadonlySet<string>;
}

/** The dependencies of engines and checks. */
export interface SourceGraph {
  engineNeeds(engine: string): Needs;
  /** @param to a format: the dependencies of the test file that checks results in it */
  checkNeeds(to: string): Needs;
}

/** @returns the pairs that a change may affect */
export const affectedPairs = (pairs: readonly Pair[], touched: Touched, graph: SourceGraph): readonly Pair[] =>
  pairs.filter(
    ({ from, to, engines, sample }) =>
      touched.pairs.has(keyOf({ from, to })) ||
      touched.formats.has(from) ||
      touched.formats.has(to) ||
      touched.files.has(sample) ||
      engines.some((engine) => isTouched(graph.engineNeeds(engine), touched)) ||
      isTouched(graph.checkNeeds(to), touched),
  );

/**
 * @returns representative pairs: for each engine and each target the one with the smallest fixture, with a single step
 * if possible; always the same pairs
 */
export const standingPairs = (pairs: readonly Pair[]): readonly Pair[] => {
  const ordered = pairs.toSorted(
    (one, other) =>
      one.engines.length - other.engines.length ||
      one.sampleBytes - other.sampleBytes ||
      keyOf(one).localeCompare(keyOf(other), "en"),
  );
  const kinds = new Map<string, Pair>();
  for (const pair of ordered) {
    for (const kind of [`to ${pair.to}`, ...pair.engines.map((engine) => `by ${engine}`)]) {
      kinds.set(kind, kinds.get(kind) ?? pair);
    }
  }
  return [...new Set(kinds.values())];
};

export const keyOf = ({ from, to }: Pick<Pair, "from" | "to">): string => `${from} ${to}`;

/** @returns whether a change affects any of the dependencies */
export const isTouched = ({ files, packages }: Needs, touched: Touched): boolean =>
  !touched.files.isDisjointFrom(files) ||
  !touched.packages.isDisjointFrom(packages) ||
  (touched.folders.size > 0 && [...files].some((path) => touched.folders.has(path.slice(0, path.lastIndexOf("/")))));
