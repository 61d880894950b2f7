import type { List, ListItem } from "./blocks.ts";
import { flowing } from "./joining.ts";
import { BULLET, type Line, lineText, NUMBER, runsOf } from "./lines.ts";
import { isStandIn, type Run, trimRuns } from "./pieces.ts";

/** The mark of an item and the text after it. */
const MARK = /^(\S+)\s+(\S.*)$/su;

/** @returns the mark of the item that starts with this line */
export const markOf = (line: Line): { mark: string; ordered: boolean } | undefined => {
  const mark = MARK.exec(lineText(line))?.[1];
  if (mark === undefined || isStandIn(line.pieces[0])) {
    return undefined;
  }
  return BULLET.test(mark) || NUMBER.test(mark) ? { mark, ordered: !BULLET.test(mark) } : undefined;
};

/** Maximum difference in points between marks of one level. */
const LEVEL_POINTS = 4;

/** A list: each item starts with a mark, and its other lines are indented past the mark. */
export const listAt = (lines: readonly Line[]): { block: List; lines: number } | undefined => {
  const [first] = lines;
  const opening = first && markOf(first);
  if (first === undefined || opening === undefined || !beginsList(opening.mark, lines)) {
    return undefined;
  }
  const items: { item: ListItem; line: Line }[] = [];
  const levels = [startOf(first)];
  let count = 0;
  for (const line of lines) {
    const marked = markOf(line);
    const last = items.at(-1);
    const gap = last === undefined ? 0 : line.top - last.line.bottom;
    const other =
      marked !== undefined && marked.ordered !== opening.ordered && startOf(line) < startOf(first) + LEVEL_POINTS;
    if (other || gap > ITEM_GAP_MAX * line.size || line.size > first.size * 1.15) {
      break;
    }
    if (marked !== undefined) {
      items.push({ item: itemOf(line, marked, depthIn(levels, startOf(line))), line });
    } else if (last !== undefined && goesOn(line, last.line, levels)) {
      items[items.length - 1] = { item: { ...last.item, runs: flowing(last.item.runs, runsOf(line)) }, line };
    } else {
      break;
    }
    count += 1;
  }
  const block: List = { kind: "list", items: items.map(({ item }) => item) };
  return { block, lines: count };
};

/** In units of the letter size: maximum gap between two items. */
const ITEM_GAP_MAX = 2;

/** A dash or a number may also start a paragraph: it starts a list only if it counts from one or more marks follow. */
const beginsList = (mark: string, lines: readonly Line[]): boolean => {
  if (/^[•◦▪▫‣⁃●○■□◆➢✓\uf000-\uf0ff]$/u.test(mark) || /^\(?[1aiAI][.)]$/.test(mark)) {
    return true;
  }
  return lines.slice(1, 6).some((line) => markOf(line) !== undefined);
};

const startOf = (line: Line): number => (line.rtl ? -line.right : line.left);

/** @returns the level of a mark at this position; a new level if it is indented further */
const depthIn = (levels: number[], start: number): number => {
  while (levels.length > 1 && start < (levels.at(-1) ?? 0) - LEVEL_POINTS) {
    levels.pop();
  }
  if (start > (levels.at(-1) ?? 0) + LEVEL_POINTS) {
    levels.push(start);
  }
  return levels.length - 1;
};

const goesOn = (line: Line, last: Line, levels: readonly number[]): boolean =>
  !isStandIn(line.pieces[0]) &&
  line.pieces.length === 1 &&
  startOf(line) > (levels.at(-1) ?? 0) + LEVEL_POINTS &&
  line.top - last.bottom < line.size;

const itemOf = (line: Line, { mark, ordered }: { mark: string; ordered: boolean }, depth: number): ListItem => {
  const digits = /\d+/.exec(mark)?.[0];
  return {
    depth,
    ordered,
    number: digits === undefined ? undefined : Number(digits),
    runs: withoutMark(runsOf(line), mark),
  };
};

const withoutMark = (runs: readonly Run[], mark: string): Run[] => {
  const [first, ...others] = runs;
  if (first === undefined) {
    return [];
  }
  const rest = mark.slice(first.text.trimEnd().length);
  return first.text.trimEnd().length < mark.length
    ? withoutMark(others, rest)
    : trimRuns([{ ...first, text: first.text.slice(mark.length) }, ...others]);
};
