import type { Block, PlacedBlock } from "./blocks.ts";
import { CJK, flowing } from "./joining.ts";
import { LEADERS, type Line, lineText, runsOf } from "./lines.ts";
import { listAt, markOf } from "./lists.ts";
import { isStandIn } from "./pieces.ts";
import type { Style } from "./style.ts";
import { tableAt } from "./tables.ts";

/** @returns the blocks of a region whose lines are in reading order */
export const blocksOf = (lines: readonly Line[], style: Style): PlacedBlock[] => {
  const blocks: PlacedBlock[] = [];
  const right = Math.max(...lines.map((line) => line.right));
  const left = Math.min(...lines.map((line) => line.left));
  for (let at = 0; at < lines.length; ) {
    const rest = lines.slice(at, at + LINES_AHEAD_MAX);
    const found = standInAt(rest) ?? tableIn(rest) ?? listAt(rest) ?? textAt(rest, { style, left, right });
    blocks.push({ block: found.block, lines: lines.slice(at, at + found.lines), first: at === 0 });
    at += found.lines;
  }
  return blocks;
};

/** Maximum lines searched for one block: a page has fewer. */
const LINES_AHEAD_MAX = 1_000;

interface Found {
  readonly block: Block;
  readonly lines: number;
}

/** A picture, or a table detected by its ruling lines, represented by a piece. */
const standInAt = ([line]: readonly Line[]): Found | undefined => {
  if (line === undefined || !isStandIn(line.pieces[0])) {
    return undefined;
  }
  const [{ table, picture = 0 }] = line.pieces;
  const size = { width: line.right - line.left, height: line.bottom - line.top };
  return { block: table ?? { kind: "picture", index: picture, ...size }, lines: 1 };
};

const tableIn = (lines: readonly Line[]): Found | undefined => {
  const found = tableAt(lines);
  return found && { block: found.table, lines: found.lines };
};

interface Measure {
  readonly style: Style;
  /** Left and right edge of the region's lines. */
  readonly left: number;
  readonly right: number;
}

/** A paragraph or a heading: consecutive lines of one size with small gaps. */
const textAt = (lines: readonly Line[], measure: Measure): Found => {
  const [first] = lines;
  if (first === undefined) {
    throw new TypeError("Expected at least one line.");
  }
  const level = headingLevel(first, lines[1], measure.style);
  let runs = runsOf(first);
  let count = 1;
  for (const line of lines.slice(1)) {
    const previous = lines[count - 1] ?? first;
    const isSame = level === undefined ? staysIn(line, previous, measure) : headingContinues(line, previous);
    if (!isSame || isStandIn(line.pieces[0]) || (markOf(line) !== undefined && level === undefined)) {
      break;
    }
    if (level === undefined && tableAt(lines.slice(count, count + LINES_AHEAD_MAX)) !== undefined) {
      break;
    }
    runs = flowing(runs, runsOf(line));
    count += 1;
  }
  const block: Block = level === undefined ? { kind: "paragraph", runs } : { kind: "heading", level, runs };
  return { block, lines: count };
};

const HEADING_CHARACTERS_MAX = 200;

/** Large letters make a heading; so does a single bold line. */
const headingLevel = (line: Line, next: Line | undefined, { bodySize, headingSizes }: Style): number | undefined => {
  const text = lineText(line);
  if (text.length > HEADING_CHARACTERS_MAX || !/\p{L}|\p{N}/u.test(text)) {
    return undefined;
  }
  const bySize = headingSizes.findIndex((size) => Math.abs(line.size - size) < 0.5);
  if (bySize !== -1) {
    return Math.min(bySize + 1, 6);
  }
  const bold = runsOf(line).every((run) => run.bold) && line.size > bodySize * 0.95;
  const alone =
    next === undefined || next.top - line.bottom > 0.5 * line.size || !runsOf(next).every((run) => run.bold);
  return bold && alone && !/[.:;,]$/.test(text) && line.pieces.length === 1
    ? Math.min(headingSizes.length + 1, 6)
    : undefined;
};

const headingContinues = (line: Line, previous: Line): boolean =>
  Math.abs(line.size - previous.size) < 0.5 &&
  line.top - previous.bottom < 0.8 * line.size &&
  runsOf(line).every((run) => run.bold) === runsOf(previous).every((run) => run.bold);

/**
 * In units of the letter size: tolerance above the usual line spacing within a paragraph, and indent that starts a new
 * one.
 */
const LEADING_SLACK = 0.3;
const INDENT_MIN = 0.8;

const staysIn = (line: Line, previous: Line, { left, right, style }: Measure): boolean => {
  const { size } = line;
  const step = line.baseline - previous.baseline;
  if (LEADERS.test(lineText(previous))) {
    return false;
  }
  if (step > (style.leading + LEADING_SLACK) * size || step < 0 || Math.abs(size - previous.size) > 0.12 * size) {
    return false;
  }
  const [near, far] = line.rtl
    ? [right - line.right, previous.left - left]
    : [line.left - left, right - previous.right];
  const [nearBefore] = line.rtl ? [right - previous.right] : [previous.left - left];
  const indented = near - nearBefore > INDENT_MIN * size && nearBefore < INDENT_MIN * size;
  return (
    !indented &&
    !(endsEarly(line, far) && near - nearBefore < INDENT_MIN * size && nearBefore - near < INDENT_MIN * size)
  );
};

/**
 * @returns whether the first word would have fit on the previous line, which means that the line was ended on purpose
 */
const endsEarly = (line: Line, room: number): boolean => {
  const text = lineText(line);
  const word = (CJK.test(text[0] ?? "") ? text[0] : /^\S+/.exec(text)?.[0]) ?? "";
  const width = ((line.right - line.left) / Math.max(1, text.length)) * (word.length + 1);
  return room > width + 1.5 * line.size && room > EARLY_POINTS;
};

const EARLY_POINTS = 20;
