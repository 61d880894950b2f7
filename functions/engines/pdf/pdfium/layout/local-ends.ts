import { around } from "../page/geometry.ts";
import type { Line } from "./rows.ts";

/** Minimum lines and width, in units of the letter size, of text with a separate right edge. */
const LOCAL_LINES = 3;
const LOCAL_WIDTH = 15;
const LOCAL_SHARE = 0.5;

/** @returns the common end of lines close to each other that is before the column's end, such as in a quotation */
export const localEnds = (lines: readonly Line[], rtl: boolean): (number | undefined)[] => {
  const ends: (number | undefined)[] = [];
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const size = lines[from]?.size ?? 10;
    to = from + 1;
    while (to < lines.length && (lines[to]?.top ?? 0) - (lines[to - 1]?.bottom ?? 0) < 0.7 * size) {
      to += 1;
    }
    const chunk = lines.slice(from, to);
    const { left, right } = around(chunk);
    const reaching = chunk.filter((line) => (rtl ? line.left - left : right - line.right) < 1.2 * size).length;
    const isLocal =
      chunk.length >= LOCAL_LINES &&
      right - left > LOCAL_WIDTH * size &&
      reaching >= LOCAL_SHARE * chunk.length &&
      !shareAxis(chunk, size);
    ends.push(...chunk.map(() => (isLocal ? (rtl ? left : right) : undefined)));
  }
  return ends;
};

/** @returns whether lines of different widths have the same middle: their ends are no edge */
const shareAxis = (lines: readonly Line[], size: number): boolean => {
  const middles = lines.map(({ left, right }) => (left + right) / 2);
  const widths = lines.map(({ left, right }) => right - left);
  return (
    Math.max(...middles) - Math.min(...middles) < 0.5 * size && Math.max(...widths) - Math.min(...widths) > 2 * size
  );
};
