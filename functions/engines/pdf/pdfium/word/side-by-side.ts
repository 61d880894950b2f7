import type { Block, Cell, Paragraph, Table } from "../layout/model.ts";
import { textOf } from "../layout/runs.ts";
import { around, type Box } from "../page/geometry.ts";

/** Paragraphs side by side that are no columns of the page, such as the authors of an article. */

/** Height in points by which blocks may overlap and still be below each other. */
export const OVERLAP_MAX = 4;
/** Paragraphs that are compared. */
const GROUP_MAX = 60;

/** @returns the blocks, with groups of paragraphs side by side as tables without borders */
export const withTables = (blocks: readonly Block[]): Block[] => {
  const result: Block[] = [];
  for (let at = 0; at < blocks.length; ) {
    const group: Paragraph[] = [];
    for (let next = at; next < blocks.length && group.length < GROUP_MAX; next += 1) {
      const block = blocks[next];
      if (block?.kind !== "paragraph" || (group.length > 0 && !isLevel(block, around(group)))) {
        break;
      }
      group.push(block);
    }
    const table = group.length > 1 ? tableOf(group) : undefined;
    const block = blocks[at];
    if (table !== undefined) {
      result.push(table);
    } else if (block !== undefined) {
      result.push(block);
    }
    at += table === undefined ? 1 : group.length;
  }
  return result;
};

/** Share of the lower of two blocks that is at the height of the other, if they are side by side. */
const LEVEL_MIN = 0.5;

/** @returns whether two boxes are at about the same height: not the end of one column and the start of the next */
const isLevel = (one: Box, other: Box): boolean => {
  const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const height = Math.min(one.bottom - one.top, other.bottom - other.top);
  return common > Math.max(OVERLAP_MAX, LEVEL_MIN * height);
};

/** @returns the paragraphs as one row of cells; undefined if they are not side by side */
const tableOf = (group: readonly Paragraph[]): Table | undefined => {
  const columns: { left: number; right: number; blocks: Paragraph[] }[] = [];
  for (const block of group.toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last !== undefined && block.left < last.right + 1) {
      last.right = Math.max(last.right, block.right);
      last.blocks.push(block);
    } else {
      columns.push({ left: block.left, right: block.right, blocks: [block] });
    }
  }
  const box = around(group);
  const hasInitial = columns.some(({ blocks }) => blocks.every(({ runs }) => textOf(runs).trim().length < 2));
  if (columns.length < 2 || hasInitial || group.some(({ open }) => open)) {
    return undefined;
  }
  const inner = columns.slice(1).map(({ left }, index) => (left + (columns[index]?.right ?? left)) / 2);
  const xs = [box.left, ...inner, box.right + ROOM];
  const cells = columns.map(({ blocks }, column): Cell => {
    const [left = 0, right = 0] = [xs[column], xs[column + 1]];
    const placed = blocks
      .toSorted((one, other) => one.top - other.top)
      .map((block) => ({ ...block, indentLeft: block.left - left, indentRight: right - block.right, firstLine: 0 }));
    return { row: 0, column, rows: 1, columns: 1, blocks: placed, borders: {} };
  });
  const rtl = group.every((block) => block.rtl);
  const frame = { kind: "table", found: "alignment", headerRows: 0, rtl, spaceBefore: 0, open: false } as const;
  return { ...frame, ...box, xs, ys: [box.top, box.bottom], cells };
};

/** Width in points that the last column has in addition. */
const ROOM = 4;
