import type { Box } from "../page/geometry.ts";
import type { Paragraph } from "./model.ts";
import type { Line } from "./rows.ts";

export type Alignment = Pick<Paragraph, "align" | "indentLeft" | "indentRight" | "firstLine">;

interface Edges {
  readonly rtl: boolean;
  /** Where the text of a list item starts, from the edge where lines start. */
  readonly textStart: number | undefined;
  readonly isCell: boolean;
  /** Whether a line has texts side by side: their places count from the start edge. */
  readonly isTabbed: boolean;
}

/** Tolerance in points for edges that are equal. */
const EQUAL = 2;
/** A single line is centered or flush right if the white space before it has this share of the column. */
const CENTER_WHITE = 0.06;
const END_WHITE = 0.3;
/** White space around text in a cell, relative to that on the other side. */
const CELL_END = 0.5;

/** @returns alignment and indents of a paragraph's lines within a column or cell */
export const alignmentOf = (
  lines: readonly Line[],
  column: Box,
  { rtl, textStart, isCell, isTabbed }: Edges,
): Alignment => {
  const starts = lines.map(({ left, right }) => (rtl ? column.right - right : left - column.left));
  const ends = lines.map(({ left, right }) => (rtl ? left - column.left : column.right - right));
  const first = starts[0] ?? 0;
  const fixed = textStart === undefined ? undefined : textStart - (rtl ? -column.right : column.left);
  const align =
    fixed === undefined && !isTabbed
      ? alignOf(starts, ends, column, isCell)
      : isJustified(starts, ends)
        ? "justify"
        : "start";
  if (align === "center" || align === "end") {
    const end = align === "end" ? Math.max(0, Math.min(...ends)) : 0;
    return { align, indentLeft: rtl ? end : 0, indentRight: rtl ? 0 : end, firstLine: 0 };
  }
  const body = Math.max(0, fixed ?? (lines.length > 1 ? Math.min(...starts.slice(1)) : first));
  const end = align === "justify" && lines.length > 2 ? Math.max(0, Math.min(...ends)) : 0;
  const firstLine = Math.abs(first - body) < 1 ? 0 : first - body;
  return { align, indentLeft: rtl ? end : body, indentRight: rtl ? body : end, firstLine };
};

const spread = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);

/** Points by which hyphens and full stops may hang over the edge of justified text. */
const OVERHANG = 3.5;

const isJustified = (starts: readonly number[], ends: readonly number[]): boolean =>
  starts.length > 2 && spread(starts.slice(1)) < EQUAL && spread(ends.slice(0, -1)) < OVERHANG;

const alignOf = (
  starts: readonly number[],
  ends: readonly number[],
  { left, right }: Box,
  isCell: boolean,
): Paragraph["align"] => {
  const [start, end] = [starts[0] ?? 0, ends[0] ?? 0];
  const width = right - left;
  if (starts.length === 1) {
    return isCell ? alignInCell(start, end) : alignSingle(start, end, width);
  }
  const isFull = starts.length === 2 && !isCell && Math.abs(end) < OVERHANG && start < width / 4;
  if (isFull || (isJustified(starts, ends) && (starts.length > 3 || !isCell))) {
    return "justify";
  }
  const centers = starts.map((value, index) => value - (ends[index] ?? 0));
  if (spread(starts.slice(1)) < EQUAL && (starts.length > 2 || Math.abs(start - (starts[1] ?? 0)) < 0.1 * width)) {
    return spread(centers) < EQUAL && spread(starts) > EQUAL ? "center" : "start";
  }
  return spread(centers) < 2 * EQUAL ? "center" : spread(ends) < EQUAL ? "end" : "start";
};

const alignSingle = (start: number, end: number, width: number): Paragraph["align"] => {
  if (Math.abs(start - end) < Math.max(2 * EQUAL, 0.02 * width) && start > CENTER_WHITE * width) {
    return "center";
  }
  return end < EQUAL && start > END_WHITE * width ? "end" : "start";
};

const alignInCell = (start: number, end: number): Paragraph["align"] => {
  if (Math.abs(start - end) < 1.5 * EQUAL && start > 3 * EQUAL) {
    return "center";
  }
  return end < CELL_END * start && start > 4 * EQUAL ? "end" : "start";
};
