import type { PageText } from "../page/text.ts";

/** Properties of the complete document. */
export interface Style {
  /** Letter size of most text, in points. */
  readonly bodySize: number;
  /** Line spacing of a paragraph, in units of the letter size. */
  readonly leading: number;
  /** Heading sizes, largest first. */
  readonly headingSizes: readonly number[];
}

/** Minimum size of heading letters, relative to body text. */
const HEADING_MIN = 1.12;
const HEADINGS_MAX = 4;

/** @returns the size of most letters, and the larger, less frequent sizes */
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

/** Default for documents with too few lines to measure. */
const LEADING = 1.3;
const LEADING_MAX = 2.6;
const LEADING_LINES_MIN = 4;

/** @returns the typical spacing of consecutive lines of one size, in units of that size */
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

/** @returns the sizes without those that barely differ from the previous one */
const distinct = (sizes: readonly number[]): number[] => {
  const kept: number[] = [];
  for (const size of sizes) {
    if ((kept.at(-1) ?? Number.POSITIVE_INFINITY) - size >= 0.75) {
      kept.push(size);
    }
  }
  return kept;
};
