import { attributeOf, type HtmlElement, isElement } from "../io/html-tree.ts";
import { type Code, call } from "./code.ts";
import { inlineOf } from "./inline.ts";
import type { Setting } from "./setting.ts";
import { checkTally } from "./tally.ts";

/** A cell, and how many columns and rows it spans: as many as there are. */
interface Cell {
  readonly node: HtmlElement;
  readonly columns: number;
  readonly rows: number;
  readonly head: boolean;
}

/** A cell in its place, counted from 0. */
interface Placed extends Cell {
  readonly x: number;
  readonly y: number;
}

const COLUMNS_MAX = 1_000;

/** @returns the code of what stands in an element, words or blocks */
type ContentOf = (node: HtmlElement, setting: Setting) => Promise<Code[]>;

/** @returns the code of a table; its head is said again on each page */
export const tableOf = async (table: HtmlElement, setting: Setting, contentOf: ContentOf): Promise<Code> => {
  const { rows, columns } = layOut(rowsOf(table));
  if (columns === 0) {
    return "none";
  }
  const own = { ...setting, columns: setting.columns * columns };
  const heads = headRows(rows);
  const codes: Code[][] = [];
  for (const row of rows) {
    setting.tally.cells += row.length;
    checkTally(setting.tally);
    codes.push(await Promise.all(row.map(async (cell) => cellOf(cell, await contentOf(cell.node, own)))));
  }
  const head = heads === 0 ? [] : [`table.header(${codes.slice(0, heads).flat().join(", ")})`];
  const size = columns > SMALL_COLUMNS ? Math.max(SIZE_MIN, (SIZE * SMALL_COLUMNS) / columns) : SIZE;
  const code = `table(columns: ${columns}, ${[...head, ...codes.slice(heads).flat()].join(", ")})`;
  const caption = captionOf(table);
  const words = caption === undefined ? [] : [call("par", [call("strong", await inlineOf(caption, setting))])];
  return `{${[...words, `set text(size: ${size.toFixed(1)}pt)`, code].join("\n")}}`;
};

/** Points of the letters, and columns from which on they become smaller. */
const SIZE = 9;
const SIZE_MIN = 4;
const SMALL_COLUMNS = 7;

/** @returns how many columns the cells of a table ask for */
export const columnsOf = (table: HtmlElement): number => layOut(rowsOf(table)).columns;

const captionOf = (table: HtmlElement): HtmlElement | undefined =>
  table.childNodes.filter(isElement).find(({ tagName }) => tagName === "caption");

const rowsOf = (table: HtmlElement): Cell[][] => {
  const groups = table.childNodes.filter(isElement);
  const rows = groups.flatMap((group) =>
    group.tagName === "tr"
      ? [{ row: group, head: false }]
      : group.childNodes
          .filter(isElement)
          .filter(({ tagName }) => tagName === "tr")
          .map((row) => ({ row, head: group.tagName === "thead" })),
  );
  return rows
    .map(({ row, head }) =>
      row.childNodes
        .filter(isElement)
        .filter(({ tagName }) => tagName === "td" || tagName === "th")
        .map((node): Cell => ({ node, columns: span(node, "colspan"), rows: span(node, "rowspan"), head })),
    )
    .filter((cells) => cells.length > 0)
    .map((cells, index, all) => cells.map((cell) => ({ ...cell, rows: Math.min(cell.rows, all.length - index) })));
};

const span = (node: HtmlElement, name: string): number => {
  const value = Number.parseInt(attributeOf(node, name) ?? "1", 10);
  return value >= 1 ? Math.min(value, COLUMNS_MAX) : 1;
};

/** Puts the cells on a grid as HTML does, each in the first place of its row that is free, but never over another. */
const layOut = (rows: readonly Cell[][]): { rows: Placed[][]; columns: number } => {
  /** By column, the first row that is free. */
  const free: number[] = [];
  const placed = rows.map((row, y) => {
    let x = 0;
    return row.map((cell): Placed => {
      x = firstFree(free, { from: x, columns: cell.columns, y });
      for (let column = x; column < x + cell.columns; column += 1) {
        free[column] = y + cell.rows;
      }
      x += cell.columns;
      return { ...cell, x: x - cell.columns, y };
    });
  });
  return withoutEmpty(placed);
};

/** Takes columns out in which no cell begins: a cell that spans a hundred of them in a table of three spans three. */
const withoutEmpty = (rows: readonly Placed[][]): { rows: Placed[][]; columns: number } => {
  const starts = [...new Set(rows.flat().map(({ x }) => x))].toSorted((first, second) => first - second);
  const index = new Map(starts.map((start, column) => [start, column]));
  const columnAt = (x: number): number => {
    const next = starts.findIndex((start) => start >= x);
    return index.get(x) ?? (next === -1 ? starts.length : next);
  };
  const narrowed = rows.map((row) =>
    row.map((cell) => ({ ...cell, x: columnAt(cell.x), columns: columnAt(cell.x + cell.columns) - columnAt(cell.x) })),
  );
  return { rows: narrowed, columns: starts.length };
};

const firstFree = (free: readonly number[], { from, columns, y }: { from: number; columns: number; y: number }) => {
  let [x, width] = [from, 0];
  while (width < columns) {
    [x, width] = (free[x + width] ?? 0) > y ? [x + width + 1, 0] : [x, width + 1];
  }
  return x;
};

/** Rows of the head; none where one of their cells reaches out of it. */
const headRows = (rows: readonly Placed[][]): number => {
  const count = rows.findIndex((row) => row.some(({ head }) => !head));
  const heads = count === -1 ? 0 : count;
  return rows.slice(0, heads).every((row, index) => row.every((cell) => index + cell.rows <= heads)) ? heads : 0;
};

const cellOf = ({ node, columns, rows, x, y }: Placed, content: readonly Code[]): Code => {
  const words = node.tagName === "th" && content.length > 0 ? [call("strong", content)] : content;
  const directed = attributeOf(node, "dir") === "rtl" ? [call("right-to-left", words)] : words;
  const spans = columns === 1 && rows === 1 ? [] : [`colspan: ${columns}`, `rowspan: ${rows}`];
  return call("table.cell", directed, `x: ${x}`, `y: ${y}`, ...spans);
};
