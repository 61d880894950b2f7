import type { PageText } from "../page/text.ts";
import type { Piece } from "./pieces.ts";

/** Share of the page height at the top and bottom in which repeated lines are searched. */
const MARGIN = 0.12;
/** Minimum share of pages that must repeat a line. */
const SHARE_MIN = 0.5;
const PAGES_MIN = 3;

/** @returns the pieces repeated at page edges, ignoring numbers: running titles and page numbers */
export const runningPieces = (pages: readonly PageText[]): ReadonlySet<Piece> => {
  const found = Map.groupBy(
    pages.flatMap(({ pieces, height, number }) =>
      pieces
        .filter(({ top, bottom }) => bottom < MARGIN * height || top > (1 - MARGIN) * height)
        .map((piece) => ({ piece, number, key: keyOf(piece, height) })),
    ),
    ({ key }) => key,
  );
  const least = Math.max(PAGES_MIN, SHARE_MIN * pages.length);
  return new Set(
    [...found.values()]
      .filter((group) => new Set(group.map(({ number }) => number)).size >= least)
      .flatMap((group) => group.map(({ piece }) => piece)),
  );
};

/** Tolerance in points for the same position on all pages. */
const PLACE_POINTS = 4;

const keyOf = ({ text, baseline }: Piece, height: number): string =>
  // Measured from the nearer edge, because pages may differ in height.
  `${Math.round(Math.min(baseline, height - baseline) / PLACE_POINTS)} ${text.replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#")}`;
