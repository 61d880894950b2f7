import type { PageText } from "./text.ts";

/** What is known of the whole document. */
export interface Style {
  /** Points of the letters that most text has. */
  readonly bodySize: number;
  /** From line to line of a paragraph, in parts of the letters' size. */
  readonly leading: number;
  /** Sizes of headings, the largest first. */
  readonly headingSizes: readonly number[];
}

/** Parts of the size of usual text from which on letters are those of a heading. */
const HEADING_MIN = 1.12;
const HEADINGS_MAX = 4;

/** @returns the size that most letters have, and the larger ones that few have */
export const styleOf = (pages: readonly PageText[]): Style => {
  const letters = new Map<number, number>();
  for (const { size, text } of pages.flatMap(({ pieces }) => pieces)) {
    letters.set(Math.round(size * 2) / 2, (letters.get(Math.round(size * 2) / 2) ?? 0) + text.length);
  }
  const bySize = [...letters].toSorted(([, one], [, other]) => other - one);
  const bodySize = bySize[0]?.[0] ?? 10;
  const sizes = bySize.map(([size]) => size).filter((size) => size > bodySize * HEADING_MIN);
  return {
    bodySize,
    leading: leadingOf(pages),
    headingSizes: distinct(sizes.toSorted((one, other) => other - one)).slice(0, HEADINGS_MAX),
  };
};

/** What is usual, where a document has too few lines to tell. */
const LEADING = 1.3;
const LEADING_MAX = 2.6;
const LEADING_LINES_MIN = 4;

/** @returns how far lines of one size that follow each other usually stand apart, in parts of that size */
const leadingOf = (pages: readonly PageText[]): number => {
  const steps = pages.flatMap(({ pieces }) =>
    pieces.slice(1).flatMap((piece, index) => {
      const above = pieces[index];
      const step = above === undefined ? 0 : (piece.baseline - above.baseline) / piece.size;
      return above?.size === piece.size && step > 0.8 && step < LEADING_MAX ? [Math.round(step * 10) / 10] : [];
    }),
  );
  const [most] = [...Map.groupBy(steps, (step) => step)].toSorted(([, one], [, other]) => other.length - one.length);
  return most === undefined || steps.length < LEADING_LINES_MIN ? LEADING : most[0];
};

/** @returns the sizes without those that differ from the one before by hardly anything */
const distinct = (sizes: readonly number[]): number[] => {
  const kept: number[] = [];
  for (const size of sizes) {
    if ((kept.at(-1) ?? Number.POSITIVE_INFINITY) - size >= 0.75) {
      kept.push(size);
    }
  }
  return kept;
};
