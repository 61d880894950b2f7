import type { Block, Cell, Paragraph, Table } from "../layout/model.ts";
import { around } from "../page/geometry.ts";

/** Paragraphs side by side that are no columns of the page, such as the authors of an article; not items of lists. */

/** Height in points by which blocks may overlap and still be below each other. */
export const OVERLAP_MAX = 4;
/** Paragraphs that are compared. */
const GROUP_MAX = 60;

/** @returns the blocks, with groups of paragraphs side by side as tables without borders */
export const withTables = (blocks: readonly Block[]): Block[] => {
  const result: Block[] = [];
  for (let at = 0; at < blocks.length; ) {
    const group: Paragraph[] = [];
    let bottom = Number.NEGATIVE_INFINITY;
    for (let next = at; next < blocks.length && group.length < GROUP_MAX; next += 1) {
      const block = blocks[next];
      if (block?.kind !== "paragraph" || block.list || (group.length > 0 && block.top > bottom - OVERLAP_MAX)) {
        break;
      }
      group.push(block);
      bottom = Math.max(bottom, block.bottom);
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
  const isBeside = columns.every(({ blocks }) => {
    const [own, others] = [around(blocks), around(group.filter((block) => !blocks.includes(block)))];
    return own.top < others.bottom && own.bottom > others.top;
  });
  if (columns.length < 2 || !isBeside || group.some(({ open }) => open)) {
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
