import type { Block, Cell, Paragraph, Run, Table, TextLine } from "../layout/model.ts";
import { around } from "../page/geometry.ts";

/** Paragraphs side by side that are no columns of the page, such as the authors of an article; not items of lists. */

/** Height in points by which blocks may overlap and still be below each other. */
export const OVERLAP_MAX = 4;
/** Paragraphs that are compared. */
const GROUP_MAX = 60;

/** @returns the blocks, with groups of paragraphs side by side as one line with tabs, or as tables without borders */
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
    const joined = group.length > 1 ? (lineOf(group) ?? tableOf(group)) : undefined;
    const block = joined ?? blocks[at];
    if (block !== undefined) {
      result.push(block);
    }
    at += joined === undefined ? 1 : group.length;
  }
  return result;
};

/** Difference in points of baselines on one line. */
const BASELINE_MAX = 1.5;

/** @returns the paragraphs as one line with tabs, such as a page number and a title; undefined if they are not on one line */
const lineOf = (group: readonly Paragraph[]): Paragraph | undefined => {
  const parts = group.toSorted((one, other) => one.left - other.left);
  const lines = parts.flatMap(({ lines }) => lines);
  const [first, line] = [parts[0], lines[0]];
  const isLine =
    lines.length === parts.length &&
    parts.every(({ rtl, open, fill, borders }) => !(rtl || open || fill || borders)) &&
    lines.every(({ left, baseline }, index) => {
      const before = lines[index - 1];
      return before === undefined || (left > before.right && Math.abs(baseline - before.baseline) < BASELINE_MAX);
    });
  if (first === undefined || line === undefined || !isLine) {
    return undefined;
  }
  const tabbed = (each: readonly (Paragraph | TextLine)[]): Run[] =>
    each.flatMap(({ runs }, index) => [...(index === 0 ? [] : runs.slice(0, 1).map(tabIn)), ...runs]);
  const box = around(parts);
  const tabs = lines.flatMap((each, index) => [...(index === 0 ? [] : [each.left]), ...(each.tabs ?? [])]);
  const joined = { ...box, baseline: line.baseline, runs: tabbed(lines), tabs };
  const { indentRight } = parts.at(-1) ?? first;
  return { ...first, ...box, runs: tabbed(parts), lines: [joined], align: "start", firstLine: 0, indentRight };
};

const tabIn = ({ mono, size, font, serif, color }: Run): Run => ({
  ...{ text: "\t", bold: false, italic: false },
  ...{ mono, size, font, serif, color },
});

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
