import type { Word } from "../content/content.ts";
import { type Box, median } from "../page/geometry.ts";
import type { Figure, Table } from "./model.ts";
import { fillOf, flowOf, lengthOf } from "./prose.ts";
import { type Line, piecesOf, rowsOf } from "./rows.ts";
import { type Extent, isInside, joinExtents, type Strip, stripsOf } from "./strips.ts";
import type { Edge } from "./tables/rulings.ts";

/** Words and finished blocks of an area of the page. */
export interface Region {
  readonly words: readonly Word[];
  readonly solids: readonly (Table | Figure)[];
}

/** An area with columns side by side. A column is a list of regions in reading order. */
export interface Band {
  readonly columns: readonly (readonly Region[])[];
}

/** Levels of columns within columns, and cuts on one page. */
const DEPTH_MAX = 8;
const CUTS_MAX = 200;
/** Minimum width of the white space between columns, in units of the letter size, and minimum number of lines. */
const GUTTER = 0.7;
const ROWS_MIN = 4;
/** Strips that are tried, longest first. */
const TRIED_MAX = 60;

/** What is drawn around text. */
export interface Drawn {
  /** Horizontal rules that end the columns that they cross. */
  readonly rules: readonly Edge[];
  /** Boxes with text: what is next to one is a column, whatever its lines look like. */
  readonly boxes: readonly Box[];
}

/**
 * Divides a region into bands from the top: white strips between lines of prose separate columns; what crosses a
 * strip above or below it is a separate band.
 *
 * @param rtl whether the first column is the rightmost one
 */
export const bandsOf = (region: Region, rtl: boolean, drawn: Drawn): Band[] => {
  let cuts = 0;
  const divide = (part: Region, depth: number): Band[] => {
    const cut = depth < DEPTH_MAX && cuts < CUTS_MAX ? bestCut(part, drawn) : undefined;
    if (cut === undefined) {
      return part.words.length + part.solids.length === 0 ? [] : [{ columns: [[part]] }];
    }
    cuts += 1;
    const sides = (rtl ? [cut.right, cut.left] : [cut.left, cut.right]).flatMap((side) =>
      columnsIn(divide(side, depth + 1)),
    );
    return [...divide(cut.above, depth), { columns: sides }, ...divide(cut.below, depth)];
  };
  return divide(region, 0);
};

/** @returns the columns of a side; a side with several bands is one column that has their parts in reading order */
const columnsIn = (bands: readonly Band[]): (readonly Region[])[] => {
  const [first, ...others] = bands;
  return first !== undefined && others.length === 0
    ? [...first.columns]
    : [bands.flatMap(({ columns }) => columns.flat())];
};

interface Cut {
  readonly above: Region;
  readonly left: Region;
  readonly right: Region;
  readonly below: Region;
}

const bestCut = (region: Region, { rules, boxes }: Drawn): Cut | undefined => {
  const rows = rowsOf(region.words);
  const size = median(rows.map((row) => row.size));
  // Finished tables and pictures end columns like rules.
  const crossing = [...rules, ...region.solids.map(({ left, right, top }) => ({ at: top, from: left, to: right }))];
  const ends = crossing.map(
    ({ at, from, to }): End => ({
      ...{ left: from, right: to },
      row: rows.findIndex(({ baseline }) => baseline > at),
    }),
  );
  const strips = stripsOf(filledBy(rows, region.solids), GUTTER * size, ROWS_MIN)
    .toSorted(longest)
    .slice(0, TRIED_MAX)
    .flatMap((strip) => dividedAt(strip, ends, size))
    .toSorted(longest)
    .slice(0, TRIED_MAX)
    .flatMap((strip) => judged(strip, { rows, size, boxes }) ?? []);
  const best = strips.reduce<Judged | undefined>(
    (most, strip) => (most === undefined || strip.lines > most.lines ? strip : most),
    undefined,
  );
  return best && cutAt(region, best);
};

const longest = (one: Strip, other: Strip): number => other.to - other.from - (one.to - one.from);

/** What ends the strips that it crosses: a rule, table or picture above a row. */
interface End extends Extent {
  readonly row: number;
}

/** In units of the letter size: how far it reaches to both sides of a strip. */
const REACH = 4;

/** @returns the parts of a strip above and below what crosses it */
const dividedAt = (strip: Strip, ends: readonly End[], size: number): Strip[] => {
  const crossing = ends
    .filter(({ left, right }) => left < strip.left - REACH * size && right > strip.right + REACH * size)
    .map(({ row }) => row)
    .filter((row) => row > strip.from && row <= strip.to);
  const starts = [...new Set([strip.from, ...crossing])].toSorted((one, other) => one - other);
  return starts
    .map((from, index) => ({ ...strip, from, to: (starts[index + 1] ?? strip.to + 1) - 1 }))
    .filter(({ from, to }) => to - from + 1 >= ROWS_MIN);
};

/** @returns the filled extents of each row, with the finished blocks at its height */
const filledBy = (rows: readonly Line[], solids: readonly Box[]): Extent[][] =>
  rows.map((row) => {
    const level = solids.filter(({ top, bottom }) => top < row.bottom && bottom > row.top);
    return joinExtents([...row.words, ...level], 0.1);
  });

/** A strip between columns. */
interface Judged {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** Lines on the side with fewer lines. */
  readonly lines: number;
}

interface Judging {
  readonly rows: readonly Line[];
  readonly size: number;
  readonly boxes: readonly Box[];
}

/** @returns the part of the strip that has lines of prose on both sides, if there is any */
const judged = (strip: Strip, { rows, size, boxes }: Judging): Judged | undefined => {
  const x = (strip.left + strip.right) / 2;
  const within = rows.slice(strip.from, strip.to + 1);
  const sides = [
    sideOf(within, (word) => (word.left + word.right) / 2 < x),
    sideOf(within, (word) => (word.left + word.right) / 2 >= x),
  ] as const;
  const start = Math.max(startOf(sides, size), (within[0]?.top ?? 0) - 0.1);
  const end = endOf(sides, size);
  const [left = [], right = []] = sides.map((side) => side.filter(({ top, bottom }) => bottom > start && top < end));
  return isBoxed(left, right, boxes) || areColumns(left, right, size)
    ? { x, top: start, bottom: end, lines: Math.min(left.length, right.length) }
    : undefined;
};

/** @returns whether one side is in a box, and the other is not */
const isBoxed = (left: readonly Line[], right: readonly Line[], boxes: readonly Box[]): boolean =>
  Math.min(left.length, right.length) >= ROWS_MIN &&
  boxes.some((box) => {
    const isIn = (line: Line) => isInside(line, box);
    return (left.every(isIn) && !right.some(isIn)) || (right.every(isIn) && !left.some(isIn));
  });

const sideOf = (rows: readonly Line[], isHere: (word: Word) => boolean): Line[] => {
  const words = rows.flatMap((row) => row.words.filter(isHere));
  return rowsOf(words);
};

type Sides = readonly [readonly Line[], readonly Line[]];

/** In units of the letter size: lines that begin this much above the other side are titles. */
const LEAD = 1.2;

const startOf = ([left, right]: Sides, size: number): number =>
  Math.max(left[0]?.top ?? 0, right[0]?.top ?? 0) - LEAD * size;

/** @returns the end of the band: a last line of both sides below white space is not part of it */
const endOf = ([left, right]: Sides, size: number): number => {
  const gaps = [left, right].map((side) => (side.at(-1)?.top ?? 0) - (side.at(-2)?.bottom ?? 0));
  const isApart =
    Math.min(...gaps) > LEAD * size && Math.abs((left.at(-1)?.baseline ?? 0) - (right.at(-1)?.baseline ?? 0)) < 1;
  return isApart
    ? (left.at(-1)?.top ?? 0) - 0.1
    : Math.max(...[left, right].map((side) => side.at(-1)?.bottom ?? 0)) + 0.1;
};

/** Minimum characters of a typical line of a column: cells of tables have fewer. */
const CHARACTERS_MIN = 18;
/** Minimum share of its column that a typical line fills. */
const FILL_MIN = 0.6;
/** Minimum share of lines that continue a sentence, where the lines are as short as those of cells. */
const FLOW_MIN = 0.2;
/** White space within a row that separates cells, in units of the letter size. */
const CELL_GAP = 1.3;

/** @returns whether both sides are lines of prose rather than cells of a table */
const areColumns = (left: readonly Line[], right: readonly Line[], size: number): boolean => {
  if (Math.min(left.length, right.length) < ROWS_MIN || areNames(left, right) || areNames(right, left)) {
    return false;
  }
  const sides = [left, right].map((side) => side.flatMap((line) => piecesOf(line, CELL_GAP * size)));
  const aligned = sharedBaselines(left, right);
  if (aligned < ASIDE_ALIGNED_MAX && sides.some((pieces) => isArticle(pieces))) {
    return true;
  }
  return sides.every(
    (pieces) =>
      median(pieces.map(lengthOf)) >= CHARACTERS_MIN &&
      fillOf(pieces, size) >= FILL_MIN &&
      (flowOf(pieces) >= FLOW_MIN || aligned < 0.6 || fillOf(pieces, size) > 0.85),
  );
};

/** White space above a name of a row, in units of the distance of its lines. */
const NAME_GAP = 1.25;

/** @returns whether the lines are names of rows: groups of lines, each at the height of one line on the other side */
const areNames = (lines: readonly Line[], rows: readonly Line[]): boolean => {
  const steps = lines.slice(1).map(({ baseline }, index) => baseline - (lines[index]?.baseline ?? 0));
  const least = steps.reduce((all, step) => Math.min(all, step), Number.POSITIVE_INFINITY);
  const starts = [0, ...steps.flatMap((step, index) => (step > NAME_GAP * least ? [index + 1] : []))];
  return (
    starts.length === rows.length &&
    starts.length < lines.length &&
    starts.every((from, index) => {
      const [first, last] = [lines[from], lines[(starts[index + 1] ?? lines.length) - 1]];
      const { baseline = 0 } = rows[index] ?? {};
      return first !== undefined && last !== undefined && baseline > first.top && baseline < last.bottom;
    })
  );
};

/** What a side has at least if short lines at its side are not cells of a table: lines and characters of a typical one. */
const ARTICLE = { lines: 12, characters: 30 };
/** Share of lines that may be at the height of a line on the other side by chance. */
const ASIDE_ALIGNED_MAX = 0.5;

/** @returns whether the side is a long text, next to which there may be a box of facts or captions */
const isArticle = (pieces: readonly Line[]): boolean =>
  pieces.length >= ARTICLE.lines && median(pieces.map(lengthOf)) >= ARTICLE.characters && flowOf(pieces) >= FLOW_MIN;

/** @returns the share of lines whose baseline another line has on the other side */
const sharedBaselines = (left: readonly Line[], right: readonly Line[]): number => {
  const known = new Set(left.map(({ baseline }) => Math.round(baseline)));
  const shared = right.filter(({ baseline }) =>
    [-1, 0, 1].some((offset) => known.has(Math.round(baseline) + offset)),
  ).length;
  return shared / Math.min(left.length, right.length);
};

const cutAt = ({ words, solids }: Region, { x, top, bottom }: Judged): Cut => {
  const part = (isHere: (x: number, y: number) => boolean): Region => ({
    words: words.filter((word) => isHere((word.left + word.right) / 2, word.baseline - 0.3 * word.size)),
    solids: solids.filter((box) => isHere((box.left + box.right) / 2, (box.top + box.bottom) / 2)),
  });
  return {
    above: part((_, y) => y <= top),
    left: part((at, y) => y > top && y < bottom && at < x),
    right: part((at, y) => y > top && y < bottom && at >= x),
    below: part((_, y) => y >= bottom),
  };
};
