import { changesHere } from "./changes.ts";
import { affectedPairs, keyOf, standingPairs } from "./select-pairs.ts";
import { pairsHere, ROOT, sourceGraph } from "./source-graph.ts";
import { touchedBy } from "./touched.ts";

/** The pairs whose contract is tested in this run. */
export interface Selection {
  /** As `from to`. */
  readonly pairs: readonly string[];
  /** For people: which set, why, how many of how many. */
  readonly line: string;
}

/** @param all whether every pair is selected, as by `npm run test:all` */
export const selection = (all: boolean): Selection => {
  const pairs = pairsHere();
  const every = (why: string): Selection => ({
    pairs: pairs.map(keyOf),
    line: `Contract pairs: all ${pairs.length} (${why}).`,
  });
  if (all) {
    return every("the complete set");
  }
  const changes = changesHere(ROOT);
  if (changes === undefined) {
    return every("git finds no base commit");
  }
  const touched = touchedBy(changes);
  if (typeof touched === "string") {
    return every(touched);
  }
  const affected = affectedPairs(pairs, touched, sourceGraph());
  const chosen = new Set([...affected, ...standingPairs(pairs)]);
  return {
    pairs: [...chosen].map(keyOf),
    line:
      `Contract pairs: ${chosen.size} of ${pairs.length}: ${affected.length} affected since ${changes.base} ` +
      `(${changes.commit.slice(0, 10)}), and one of each engine and target. All of them: npm run test:all.`,
  };
};
