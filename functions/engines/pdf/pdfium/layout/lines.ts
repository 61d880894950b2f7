import { around, type Box } from "../page/geometry.ts";
import { isStandIn, joinRuns, type Piece, type Run } from "./pieces.ts";

/** Pieces on one line of a region, in reading order; a picture or table placeholder is always a separate line. */
export interface Line extends Box {
  readonly pieces: readonly [Piece, ...Piece[]];
  readonly baseline: number;
  readonly size: number;
  readonly rtl: boolean;
}

/** @returns the lines of a region from the top, with list marks joined to their items */
export const linesOf = (pieces: readonly Piece[]): Line[] => {
  const rows: Piece[][] = [];
  for (const piece of pieces.toSorted((one, other) => one.baseline - other.baseline)) {
    const row = !isStandIn(piece)
      ? rows.findLast((known, index) => index >= rows.length - 4 && isOn(known, piece))
      : undefined;
    row === undefined ? rows.push([piece]) : row.push(piece);
  }
  return rows.map(lineOf).toSorted((one, other) => one.baseline - other.baseline);
};

/** Minimum vertical overlap of two pieces on one line, as a share of the letter height. */
const COMMON_MIN = 0.5;

const isOn = (row: readonly Piece[], piece: Piece): boolean => {
  const [first] = row;
  if (first === undefined || isStandIn(first)) {
    return false;
  }
  const common = Math.min(first.bottom, piece.bottom) - Math.max(first.top, piece.top);
  const free = row.every(
    ({ left, right }) => Math.min(right, piece.right) - Math.max(left, piece.left) < 0.5 * piece.size,
  );
  return free && common > COMMON_MIN * Math.min(first.bottom - first.top, piece.bottom - piece.top);
};

const lineOf = (row: readonly Piece[]): Line => {
  const letters = (rtl: boolean) => row.reduce((sum, piece) => sum + (piece.rtl === rtl ? piece.text.length : 0), 0);
  const rtl = letters(true) > letters(false);
  const sorted = row.toSorted((one, other) => (rtl ? other.right - one.right : one.left - other.left));
  const [first, ...others] = joinMark(sorted);
  if (first === undefined) {
    throw new TypeError("A line must have at least one piece.");
  }
  const tallest = others.reduce((tall, piece) => (piece.size > tall.size ? piece : tall), first);
  const { baseline, size } = tallest;
  return { ...around([first, ...others]), pieces: [first, ...others], baseline, size, rtl };
};

/** Mark of a list item: a bullet from any font, or a number or letter with a period or parenthesis. */
export const BULLET = /^[•◦▪▫‣⁃●○■□◆◇▶►➢➤✓✔❖·∙⋅*–—\uf0a7\uf0b7\uf0d8\uf0fc\uf076\uf02d-]$/u;
export const NUMBER = /^\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]$/i;

/** Dot leaders of a table of contents: they fill a line and are neither a gap nor text. */
export const LEADERS = /(?:[.·…]\s?){5,}/u;

/** A mark is far from its text, but is not a table cell. */
const MARK_GAP_MAX = 4;

const joinMark = (pieces: readonly Piece[]): Piece[] => {
  const [mark, text, ...others] = pieces;
  if (mark === undefined || text === undefined || !(BULLET.test(mark.text) || NUMBER.test(mark.text))) {
    return [...pieces];
  }
  const gap = Math.max(text.left - mark.right, mark.left - text.right);
  return gap > MARK_GAP_MAX * text.size ? [...pieces] : [joined(mark, text), ...others];
};

const joined = (one: Piece, other: Piece): Piece => ({
  ...other,
  ...around([one, other]),
  text: `${one.text} ${other.text}`,
  runs: [...one.runs.map((run) => ({ ...run, text: `${run.text} ` })), ...other.runs],
});

/** @returns the runs of a line, with a space between its pieces */
export const runsOf = ({ pieces }: Line): Run[] =>
  joinRuns(
    pieces.flatMap(({ runs }, index) =>
      runs.map((run, position) => (index > 0 && position === 0 ? { ...run, text: ` ${run.text}` } : run)),
    ),
  );

/** @returns the text of a line, with a space between its pieces */
export const lineText = ({ pieces }: Line): string => pieces.map(({ text }) => text).join(" ");
