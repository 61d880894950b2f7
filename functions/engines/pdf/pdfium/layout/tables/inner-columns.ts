import type { Word } from "../../content/content.ts";
import { median } from "../../page/geometry.ts";
import { type Line, lineText, piecesOf, rowsOf } from "../rows.ts";
import type { Extent } from "../strips.ts";
import type { Edges } from "./edges.ts";
import { guttersOf, isNumeric, WORD_GAP } from "./gutters.ts";
import { columnAt, textRow } from "./text-rows.ts";

/** Rows of a drawn column with several numbers, and their share of its rows: fewer may be a coincidence. */
const ROWS_MIN = 3;
const ROWS_SHARE = 0.6;
/** Share of the cells of an inner column that are values, and share of the values that are numbers. */
const VALUES_SHARE = 0.8;
const NUMBERS_SHARE = 0.5;
/** In units of the letter size: minimum space after texts, and between numbers that could be parts of one. */
const WIDE_GAP = 1;

/** What stands in the place of a number: `–`, `(X)`, `n/a`, `***.*`. */
const NO_NUMBER = /^(?:[-–—−*.…%]+|\(?(?:x|z|na|n\/a|n\.a\.|ns|nd)\)?)$/iu;

/**
 * Statistics often have uprights only between groups of columns. Numbers below each other are separate columns.
 *
 * @returns the edges with those between the columns of numbers inside of each drawn column
 */
export const withInnerColumns = (xs: readonly Edges[], words: readonly Word[]): Edges[] => {
  const inner = xs.slice(1, -1).map(({ at }) => at);
  const byColumn = Map.groupBy(words, ({ left, right }) => columnAt(inner, (left + right) / 2));
  const found = [...byColumn.values()].flatMap((own) => cutsIn(rowsOf(own)));
  return [...xs, ...found.map((at) => ({ at, parts: [] }))].toSorted((one, other) => one.at - other.at);
};

/** @returns the places between the columns of numbers that rows form; the first column may have texts */
const cutsIn = (rows: readonly Line[]): number[] => {
  const body = rows.slice(rows.findIndex((row) => piecesOf(row, WORD_GAP * row.size).some(isNumeric)));
  const several = body.filter((row) => piecesOf(row, WORD_GAP * row.size).length > 1);
  if (several.length < ROWS_MIN || several.length < ROWS_SHARE * body.length) {
    return [];
  }
  const size = median(several.map((row) => row.size));
  const gutters = guttersOf(several);
  const places = gutters.map(({ left, right }) => (left + right) / 2);
  const text = several.map((row) => textRow(row, places));
  const columns = Array.from({ length: places.length + 1 }, (_, column) =>
    text.flatMap(({ cells }) => cells[column] ?? []),
  );
  const isWide = ({ left, right }: Extent) => right - left >= WIDE_GAP * size;
  const areApart = gutters.every(
    (gap, index) => isWide(gap) || areNumbersApart(columns[index] ?? [], columns[index + 1] ?? []),
  );
  return areApart && columns.slice(1).every(isNumbers) ? places : [];
};

/** Numbers that are complete: digits after a narrow space may belong to the number before it, or to a phone number. */
const COMPLETE = /\d[.,]\d/u;
const THOUSANDS = /^\d{3}$/u;

/** @returns whether both columns have numbers that a narrow space may separate */
const areNumbersApart = (before: readonly Line[], after: readonly Line[]): boolean =>
  isNumbers(before) &&
  isNumbers(after) &&
  !after.every((cell) => THOUSANDS.test(lineText(cell))) &&
  (!after.every(isMono) || [before, after].every((cells) => cells.some((cell) => COMPLETE.test(lineText(cell)))));

const isMono = ({ words }: Line): boolean => words.every(({ runs }) => runs.every(({ mono }) => mono));

const isNumbers = (cells: readonly Line[]): boolean => {
  const numbers = cells.filter(isNumeric).length;
  const values = cells.filter((cell) => isNumeric(cell) || NO_NUMBER.test(lineText(cell))).length;
  return values >= VALUES_SHARE * cells.length && numbers >= NUMBERS_SHARE * values && numbers > 1;
};
