import type { Word } from "../../content/content.ts";
import { piecesOf, rowsOf } from "../rows.ts";
import type { Grid } from "./cells.ts";
import { type Edges, SNAP } from "./edges.ts";
import { isNumeric, WORD_GAP } from "./gutters.ts";
import type { Ruling } from "./rulings.ts";
import { boundaries, columnAt, hasProse, recordsOf, type TextRow, textRow } from "./text-rows.ts";

/** The grid of a table and the words in it. */
export interface FoundGrid {
  readonly grid: Grid;
  readonly words: readonly Word[];
}

/**
 * @param isFilled whether the uprights are sides of backgrounds: they separate the cells without a background, too
 * @returns the grid of uprights; rows of text without rules between them become rows of cells
 */
export const lattice = (
  ruling: Ruling,
  xs: readonly Edges[],
  ys: readonly Edges[],
  words: readonly Word[],
  isFilled: boolean,
): FoundGrid => {
  const inner = xs.slice(1, -1).map(({ at }) => at);
  const heldX = heldEdges(xs, words);
  const cuts = ys.slice(1).flatMap(({ at }, index) => {
    const [top, middle] = [ys[index]?.at ?? 0, ({ baseline, size }: Word) => baseline - 0.3 * size];
    const band = words.filter((word) => middle(word) > top && middle(word) < at);
    const isFree = isFilled && !ruling.fills.some((fill) => fill.top < at - SNAP && fill.bottom > top + SNAP);
    return isFree
      ? boundaries(recordsOf(rowsOf(band).map((line) => textRow(line, inner))))
      : recordCuts(band, inner, ys.length > MANY_BANDS);
  });
  const rows = [...ys, ...cuts.map((at) => ({ at, parts: [] }))].toSorted((one, other) => one.at - other.at);
  const held = new Set(cuts);
  return {
    words,
    grid: {
      xs: xs.map(({ at }) => at),
      ys: rows.map(({ at }) => at),
      down: xs.map(({ parts }) => parts),
      across: rows.map(({ parts }) => parts),
      isHeldX: (index) => isFilled || heldX.has(index),
      isHeldY: (index) => held.has(rows[index]?.at ?? 0),
      fills: ruling.fills,
    },
  };
};

/** @returns the indexes of edges that text respects where they are not drawn: they separate cells there, too */
const heldEdges = (xs: readonly Edges[], words: readonly Word[]): ReadonlySet<number> => {
  const inner = xs.slice(1, -1).map(({ at }) => at);
  const respected = new Map<number, number>();
  const count = (from: number, to: number, y: number, by: number): void => {
    for (let index = from + 1; index <= to; index += 1) {
      const isDrawn = xs[index]?.parts.some((edge) => edge.from <= y && edge.to >= y) === true;
      isDrawn || respected.set(index, (respected.get(index) ?? 0) + by);
    }
  };
  for (const row of rowsOf(words)) {
    const y = row.baseline - 0.3 * row.size;
    let end: number | undefined;
    for (const piece of piecesOf(row, WORD_GAP * row.size)) {
      const [from, to] = [columnAt(inner, piece.left + 1), columnAt(inner, piece.right - 1)];
      count(from, to, y, -CROSSED);
      end === undefined || count(end, from, y, 1);
      end = to;
    }
  }
  return new Set([...respected].filter(([, value]) => value > 1).map(([index]) => index));
};

/** Weight of a row whose text crosses an edge, against rows whose text respects it. */
const CROSSED = 2;

/** A lattice with more bands than this has a rule for each row, if its cells hold no columns of numbers. */
const MANY_BANDS = 6;
const RECORDS_MIN = 3;
/** Minimum share of the lines of a band that look like rows of numbers. */
const RECORDS_SHARE = 0.8;

/** @returns the heights at which a band of a lattice is to be cut: its columns have lines on the same baselines */
const recordCuts = (words: readonly Word[], xs: readonly number[], isStrict: boolean): number[] => {
  const rows = rowsOf(words).map((line) => textRow(line, xs));
  const pairs = pairedRows(rows);
  if (pairs.length > 1) {
    return boundaries(pairs.map((row) => [row]));
  }
  const enough = isStrict ? 2 : RECORDS_MIN;
  if (
    rows.length < enough ||
    hasProse(rows) ||
    (isStrict && rows.filter(isRecord).length < RECORDS_SHARE * rows.length)
  ) {
    return [];
  }
  const records = recordsOf(rows);
  const filled = records.filter((record) => filledIn(record[0]) * 2 > xs.length);
  return records.length >= enough && filled.length * 4 >= records.length * 3 ? boundaries(records) : [];
};

/** Columns with numbers from which on the lines of a band are rows. */
const NUMBERS_MIN = 3;

/** @returns the lines that fill the same columns, most with numbers; other lines may fill the others, or be labels */
const pairedRows = (rows: readonly TextRow[]): readonly TextRow[] => {
  const most = Math.max(0, ...rows.map(filledIn));
  const full = rows.filter((row) => filledIn(row) === most);
  const isFree = (row: TextRow) =>
    row.cells.every((cell, column) => cell === undefined || full[0]?.cells[column] === undefined) ||
    (filledIn(row) === 1 && row.cells[0] !== undefined && !isNumeric(row.cells[0]));
  const isNumbers = ({ cells }: TextRow) =>
    cells.filter((cell) => cell !== undefined && isNumeric(cell)).length >= Math.max(NUMBERS_MIN, most / 2);
  return rows.every((row) => (full.includes(row) ? isNumbers(row) && isRecord(row, 0, full) : isFree(row))) ? full : [];
};

const filledIn = (row: TextRow | undefined): number => row?.cells.filter((cell) => cell !== undefined).length ?? 0;

/** @returns whether a line of text has the same cells filled as the first one, one of them with a number */
const isRecord = (row: TextRow, _: number, [first]: readonly TextRow[]): boolean =>
  filledIn(row) > 1 &&
  row.cells.some((cell) => cell !== undefined && isNumeric(cell)) &&
  row.cells.every((cell, column) => (cell === undefined) === (first?.cells[column] === undefined));
