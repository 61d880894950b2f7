import type { Piece } from "./pieces.ts";
import type { PageText } from "./text.ts";

/** Parts of a page's height at its top and at its bottom where lines may stand that every page repeats. */
const MARGIN = 0.12;
/** Parts of the pages that have to repeat a line. */
const SHARE_MIN = 0.5;
const PAGES_MIN = 3;

/** @returns the pieces that pages repeat at their edges, but for numbers: running titles and page numbers */
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

/** Points within which a line stands at one place on all pages. */
const PLACE_POINTS = 4;

const keyOf = ({ text, baseline }: Piece, height: number): string =>
  // Counted from the edge that is nearer: pages may differ in height.
  `${Math.round(Math.min(baseline, height - baseline) / PLACE_POINTS)} ${text.replace(/\d+/g, "#").replace(/\b[ivxlc]+\b/gi, "#")}`;
