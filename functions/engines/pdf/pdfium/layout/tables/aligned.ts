import { around, type Box, median } from "../../page/geometry.ts";
import { isBullet } from "../list-marks.ts";
import type { Table } from "../model.ts";
import type { TextContext } from "../paragraphs.ts";
import { type Line, lineText, piecesOf } from "../rows.ts";
import type { Extent } from "../strips.ts";
import { areAxes } from "./axes.ts";
import { cellsOf, type Grid } from "./cells.ts";
import { areFractions } from "./fractions.ts";
import { guttersOf, isNumeric } from "./gutters.ts";
import { headerRowsOf } from "./header.ts";
import type { Edge } from "./rulings.ts";
import { boundaries, hasProse, recordsOf, type TextRow, tailOf, textRow, withNames } from "./text-rows.ts";

/** A table formed by consecutive rows of text without rules. */
export interface FoundRows {
  /** Indexes of the first row and of the row after the last. */
  readonly from: number;
  readonly to: number;
  readonly table: Table;
}

/** In units of the letter size: white space that separates cells, and distances within a table. */
const CELL_GAP = 0.75;
const APART_MAX = 3.2;
const SINGLES_MAX = 3;
const ROWS_MIN = 3;
const DEPTH_MAX = 8;
/** In units of the letter size: the widest gap of a typical row. Justified text has gaps below it. */
const WIDEST_MIN = 1.3;
const WIDEST_MANY_MIN = 0.8;
const MANY = 6;
/** Maximum characters of a typical cell. */
const CHARACTERS_MAX = 45;
/** Minimum share of parts in a font of equally wide letters, so that they are lines of code unless most are numbers. */
const CODE_MIN = 0.8;
/** Share of rows that cross the only white space between columns, from which on the rows are lines of text. */
const WIDE_MAX = 0.25;
/** Minimum share of wide gaps that lie between columns of all rows. */
const SHARED_MIN = 0.8;
/** Minimum share of the cells of a column that begin, end or are centered at the same place. */
const ALIGNED_MIN = 0.6;

/** @param rules horizontal rules @returns the tables that rows of a column form by the alignment of their parts */
export const alignedTables = (rows: readonly Line[], rules: readonly Edge[], context: TextContext): FoundRows[] => {
  const parts = rows.map((row) => piecesOf(row, CELL_GAP * row.size));
  return zonesOf(rows, parts).flatMap(({ from, to }) => tablesIn({ rows, parts, rules, context }, from, to, 0));
};

interface Page {
  readonly rows: readonly Line[];
  /** Parts of each row between wide gaps. */
  readonly parts: readonly (readonly Line[])[];
  readonly rules: readonly Edge[];
  readonly context: TextContext;
}

const LEADERS = /(?:\.\s?){5,}|(?:_\s?){5,}|…{2,}/u;

/** Dots lead to the page in a table of contents, but also to the first of several numbers. */
const isRow = (parts: readonly Line[] | undefined, row: Line): boolean =>
  parts !== undefined &&
  parts.length > 1 &&
  (!LEADERS.test(lineText(row)) || parts.filter(isNumeric).length > 1) &&
  !isMarked(parts);

/** @returns whether the first of two parts is no more than the mark of a list item or of a formula */
const isMarked = ([first, second, ...others]: readonly Line[]): boolean => {
  const [mark, next] = first?.words ?? [];
  const isAlone = mark !== undefined && next === undefined && second !== undefined && others.length === 0;
  return isAlone && (isBullet(mark.text) || /^(?:\(?[\da-zA-Z]{1,3}[.)]|\[\d+\])$/u.test(mark.text));
};

/** @returns consecutive rows with several parts, and the single lines between them */
const zonesOf = (rows: readonly Line[], parts: readonly (readonly Line[])[]): { from: number; to: number }[] => {
  const zones: { from: number; to: number }[] = [];
  for (const [index, row] of rows.entries()) {
    if (!isRow(parts[index], row)) {
      continue;
    }
    const last = zones.at(-1);
    const near =
      last !== undefined &&
      index - last.to <= SINGLES_MAX &&
      rows
        .slice(last.to, index + 1)
        .every((line, at) => line.top - (rows[last.to + at - 1]?.bottom ?? 0) < APART_MAX * line.size);
    if (last !== undefined && near) {
      last.to = index + 1;
    } else {
      zones.push({ from: index, to: index + 1 });
    }
  }
  return zones;
};

/** @returns the table of the rows, or those of the parts above and below the widest white space */
const tablesIn = (page: Page, from: number, to: number, depth: number): FoundRows[] => {
  const inner = range(from, to).filter((index) => isRow(page.parts[index], page.rows[index] as Line));
  const [first, last] = [inner[0], inner.at(-1)];
  if (first === undefined || last === undefined || inner.length < 2 || depth > DEPTH_MAX) {
    return [];
  }
  const found = tableFrom(page, first, last + 1, inner);
  const at = splitOf(page.rows, first, last + 1);
  if (at === undefined || (found !== undefined && !isFar(page.rows, at, first, last + 1))) {
    return found === undefined ? [] : [found];
  }
  const parts = [...tablesIn(page, first, at, depth + 1), ...tablesIn(page, at, last + 1, depth + 1)];
  const columns = (tables: readonly FoundRows[]) =>
    tables.reduce((most, { table }) => Math.max(most, table.xs.length), 0);
  return found === undefined || columns(parts) > found.table.xs.length || isRuledAbove(page, at, parts)
    ? parts
    : [found];
};

/** @returns whether a rule above the lower part separates it from another table */
const isRuledAbove = ({ rows, rules }: Page, at: number, parts: readonly FoundRows[]): boolean => {
  const [above, below] = [rows[at - 1], parts.find(({ from }) => from >= at)];
  return (
    below !== undefined &&
    rules.some(
      ({ at: y, from, to }) =>
        y > (above?.baseline ?? 0) &&
        y < (rows[at]?.top ?? 0) + 1 &&
        from < below.table.left + 1 &&
        to > below.table.right - 1,
    )
  );
};

/** Ratio of the widest white space to the usual one, from which on it may separate two tables. */
const FAR = 1.6;

const isFar = (rows: readonly Line[], at: number, from: number, to: number): boolean => {
  const step = (index: number) => (rows[index]?.baseline ?? 0) - (rows[index - 1]?.baseline ?? 0);
  return step(at) > FAR * median(range(from + 1, to).map(step));
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** @returns the row below the widest white space */
const splitOf = (rows: readonly Line[], from: number, to: number): number | undefined => {
  const gaps = range(from + 1, to).map((index) => ({
    index,
    gap: (rows[index]?.baseline ?? 0) - (rows[index - 1]?.baseline ?? 0),
  }));
  return gaps.reduce<(typeof gaps)[number] | undefined>(
    (most, gap) => (most === undefined || gap.gap > most.gap + 0.5 ? gap : most),
    undefined,
  )?.index;
};

const tableFrom = (
  { rows, parts, rules, context }: Page,
  from: number,
  to: number,
  inner: readonly number[],
): FoundRows | undefined => {
  const several = inner.map((index) => rows[index] as Line);
  const size = median(several.map((row) => row.size));
  const gutters = guttersOf(inner.map((index) => withNames(rows, index)));
  if (gutters.length === 0) {
    return undefined;
  }
  const pieces = inner.map((index) => parts[index] ?? []);
  if (!isTable(pieces, gutters, size) || areFractions(several, rows, rules)) {
    return undefined;
  }
  const xs = gutters.map(({ left, right }) => (left + right) / 2);
  const text = rows.slice(from, to).map((line) => textRow(line, xs));
  const isText = xs.length === 1 && text.filter(({ isWide }) => isWide).length > WIDE_MAX * text.length;
  if (isText || !areAligned(text, size) || hasProse(text) || areAxes(text) || !areEnough(text, several.length)) {
    return undefined;
  }
  const tail = tailOf(
    text.at(-1) as TextRow,
    rows.slice(to).map((line) => textRow(line, xs)),
  );
  return { from: to - text.length, to: to + tail.length, table: tableOf([...text, ...tail], xs, rules, context) };
};

/** @returns whether there are enough rows to be no coincidence: fewer if there are numbers or more columns */
const areEnough = (rows: readonly TextRow[], several: number): boolean => {
  const columns = rows[0]?.cells.length ?? 0;
  const cells = rows.flatMap((row) => row.cells.slice(1).filter((cell) => cell !== undefined));
  const isNumbers = cells.filter(isNumeric).length * 2 > cells.length;
  const least = ROWS_MIN + (isNumbers ? 0 : 1) - (columns > 2 ? 1 : 0);
  return several >= least && (several > 2 || isNumbers);
};

const isTable = (rows: readonly (readonly Line[])[], gutters: readonly Extent[], size: number): boolean => {
  const gaps = rows.map((pieces) =>
    pieces.slice(1).map((piece, index) => ({ left: pieces[index]?.right ?? 0, right: piece.left })),
  );
  const shared = gaps
    .flat()
    .filter(({ left, right }) => gutters.some((gutter) => gutter.left < right && gutter.right > left));
  const widest = median(gaps.map((row) => Math.max(...row.map(({ left, right }) => right - left))));
  const pieces = rows.flat();
  const characters = pieces.reduce((sum, piece) => sum + lineText(piece).length, 0) / pieces.length;
  const code = pieces.filter(({ words }) => words.every(({ runs }) => runs.every(({ mono }) => mono)));
  return (
    shared.length >= SHARED_MIN * gaps.flat().length &&
    widest >= (rows.length < MANY ? WIDEST_MIN : WIDEST_MANY_MIN) * size &&
    characters <= CHARACTERS_MAX &&
    (code.length < CODE_MIN * pieces.length || 2 * pieces.filter(isNumeric).length > pieces.length)
  );
};

/** @returns whether the cells of all columns but one begin, end or are centered at the same place */
const areAligned = (rows: readonly TextRow[], size: number): boolean => {
  const columns = rows[0]?.cells.length ?? 0;
  const loose = range(0, columns).filter((column) => {
    const cells = rows.flatMap(({ cells: all }) => all[column] ?? []);
    const shares = [
      shareNear(
        cells.map(({ left }) => left),
        size,
      ),
      shareNear(
        cells.map(({ right }) => right),
        size,
      ),
      shareNear(
        cells.map(({ left, right }) => (left + right) / 2),
        size,
      ),
    ];
    return Math.max(...shares) < ALIGNED_MIN;
  });
  return loose.length <= columns / 4;
};

/** Points between the text of a table and a rule above or below it. */
const BORDER = 8;

const shareNear = (values: readonly number[], size: number): number => {
  const middle = median(values);
  return values.filter((value) => Math.abs(value - middle) < 0.5 * size).length / Math.max(1, values.length);
};

const tableOf = (
  rows: readonly TextRow[],
  inner: readonly number[],
  rules: readonly Edge[],
  context: TextContext,
): Table => {
  const lines = rows.map(({ line }) => line);
  const box: Box = around(lines);
  const xs = [box.left, ...inner, box.right];
  const records = recordsOf(rows);
  const drawn = rules.filter(({ from, to }) => from < box.right && to > box.left);
  const edges = [[], ...records].map((record, index) => {
    const [above, below] = [record.at(-1)?.line, records[index]?.[0]?.line];
    const near = { top: above?.baseline ?? box.top - BORDER, bottom: below?.baseline ?? box.bottom + BORDER };
    return drawn.filter(({ at }) => at > near.top && at < near.bottom - (below?.size ?? 0) / 2);
  });
  const places = [box.top, ...boundaries(records), box.bottom];
  const ys = places.map((at, index) => edges[index]?.[0]?.at ?? at);
  const grid: Grid = {
    ...{ xs, ys, down: xs.map(() => []), across: edges, fills: [] },
    isHeldX: () => true,
    isHeldY: () => true,
  };
  const cells = cellsOf(
    grid,
    lines.flatMap(({ words }) => words),
    { ...context, isCell: true, boxes: [] },
  );
  return {
    kind: "table",
    ...{ ...box, xs, ys, cells },
    headerRows: headerRowsOf(cells, ys.length - 1),
    found: "alignment",
    rtl: context.rtl,
    spaceBefore: 0,
    open: false,
  };
};
