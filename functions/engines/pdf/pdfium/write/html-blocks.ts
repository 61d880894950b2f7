import type { Block, Cell, Figure, ListMark, Paragraph, Table } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import { gridOf, type Place } from "./flow.ts";
import { type InlineContext, inlineHtml } from "./html-inline.ts";
import { type Base, boxStyle, cellStyle, markStyle, paragraphStyle } from "./html-style.ts";

/** Context for writing blocks as HTML. */
export interface HtmlContext extends InlineContext {
  readonly base: Base;
  /** Whether the text has the formatting of the page. */
  readonly styled: boolean;
  /** @returns the element that shows a figure, with the attributes of its place */
  readonly figure: (figure: Figure, attributes: string) => string;
}

/** The edges of a column or cell, and its blocks if pictures can be next to them. */
type Area = Box & { readonly blocks?: readonly Block[] };

/** @returns the blocks of a column or a cell as HTML, one element a line */
export const blocksHtml = (blocks: readonly Block[], column: Area, context: HtmlContext): string => {
  const lines: string[] = [];
  for (let index = 0; index < blocks.length; ) {
    const block = blocks[index];
    const items = itemsFrom(blocks, index);
    if (items.length > 0) {
      lines.push(listHtml(items, context));
    } else if (block !== undefined) {
      lines.push(blockHtml(block, column, context));
    }
    index += Math.max(1, items.length);
  }
  return lines
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
};

type Item = Paragraph & { readonly list: ListMark };

const itemsFrom = (blocks: readonly Block[], first: number): Item[] => {
  const end = blocks.findIndex((block, index) => index >= first && !isItem(block));
  return blocks.slice(first, end < 0 ? blocks.length : end).filter(isItem);
};

const isItem = (block: Block): block is Item => block.kind === "paragraph" && block.list !== undefined;

const blockHtml = (block: Block, column: Area, context: HtmlContext): string => {
  if (block.kind === "table") {
    return tableHtml(block, column, context);
  }
  if (block.kind === "figure") {
    const floating = column.blocks?.some((other) => isBeside(other, block));
    return context.figure(block, context.sheet.mark("figure", boxStyle(block, column, { ...context, floating })));
  }
  const tag = block.heading === undefined ? "p" : `h${Math.min(6, Math.max(1, block.heading))}`;
  const style = context.sheet.mark(tag, paragraphStyle(block, context.base, "column"));
  return `<${tag}${style}${direction(block)}>${inlineHtml(block.runs, context, tag === "p")}</${tag}>`;
};

/** @returns whether the paragraph has lines at the left or right of the figure */
const isBeside = (block: Block, { left, top, right, bottom }: Figure): boolean =>
  block.kind === "paragraph" &&
  block.lines.some(
    (line) => line.top < bottom && line.bottom > top && (line.right <= left + 1 || line.left >= right - 1),
  );

const direction = ({ rtl }: { readonly rtl: boolean }): string => (rtl ? ' dir="rtl"' : "");

type ListTag = "ol" | "ul";

/** Nested lists: deeper levels are inside the preceding item. */
const listHtml = (items: readonly Item[], context: HtmlContext): string => {
  const open: ListTag[] = [];
  let html = "";
  for (const item of items) {
    const tag: ListTag = item.list.ordered ? "ol" : "ul";
    const depth = Math.min(DEPTH_MAX, item.list.depth);
    while (open.length > depth + 1 || (open.length === depth + 1 && open.at(-1) !== tag)) {
      html += `</li></${open.pop()}>`;
    }
    html += open.length === depth + 1 ? "</li>" : openList(open, tag, depth, item.list);
    const style = { ...paragraphStyle(item, context.base, "list"), ...markStyle(item.list) };
    html += `<li${context.sheet.mark("li", style)}${direction(item)}>${inlineHtml(item.runs, context)}`;
  }
  return (
    html +
    open
      .toReversed()
      .map((tag) => `</li></${tag}>`)
      .join("")
  );
};

const DEPTH_MAX = 8;

const openList = (open: ListTag[], tag: ListTag, depth: number, { number = 1, mark }: ListMark): string => {
  let html = "";
  while (open.length < depth + 1) {
    const start = tag === "ol" && number !== 1 ? ` start="${number}"` : "";
    // A skipped level would need an enclosing item.
    html += open.length < depth ? `<${tag}><li>` : `<${tag}${tag === "ol" ? typeOf(mark, number) : ""}${start}>`;
    open.push(tag);
  }
  return html;
};

/** @returns the attribute for marks of letters or Roman numerals */
const typeOf = (mark: string, number: number): string => {
  const letters = /^[([]?(\p{L}+)[.)\]]*$/u.exec(mark)?.[1] ?? "";
  const lower = letters.toLowerCase();
  const letter = lower.length === 1 && lower.charCodeAt(0) - "a".charCodeAt(0) + 1 === number;
  const type = letter ? "a" : /^[ivxlcdm]+$/.test(lower) ? "i" : "";
  return type === "" ? "" : ` type="${letters === lower ? type : type.toUpperCase()}"`;
};

const tableHtml = (table: Table, column: Box, context: HtmlContext): string => {
  const { xs, headerRows, rtl } = table;
  const width = (xs.at(-1) ?? 0) - (xs[0] ?? 0);
  const shares = xs.slice(1).map((x, index) => Math.round(((x - (xs[index] ?? 0)) / width) * 100));
  const columns = (rtl ? shares.toReversed() : shares).map((share) => `<col style="width:${share}%">`).join("");
  const rows = gridOf(table).map((places, row) => rowHtml(table, { places, row }, context));
  const [head, body] = [rows.slice(0, headerRows), rows.slice(headerRows)];
  return [
    `<table${context.sheet.mark("table", boxStyle(table, column, context))}${direction(table)}>`,
    ...(context.styled && width > 0 ? [`<colgroup>${columns}</colgroup>`] : []),
    ...(head.length > 0 ? ["<thead>", ...head, "</thead>"] : []),
    ...(body.length > 0 ? ["<tbody>", ...body, "</tbody>"] : []),
    "</table>",
  ].join("\n");
};

interface Row {
  readonly places: readonly (Place | undefined)[];
  readonly row: number;
}

const rowHtml = ({ headerRows, xs }: Table, { places, row }: Row, context: HtmlContext): string => {
  const tag = row < headerRows ? "th" : "td";
  const written = places.map((place) => {
    if (place === undefined) {
      return `<${tag}></${tag}>`;
    }
    const { cell, across, down } = place;
    const [left = 0, right = 0] = [xs[cell.column], xs[cell.column + cell.columns]];
    return across || down ? "" : cellHtml(cell, { tag, box: { left, right, top: 0, bottom: 0 } }, context);
  });
  return `<tr>${written.join("")}</tr>`;
};

const cellHtml = (
  cell: Cell,
  { tag, box }: { readonly tag: "td" | "th"; readonly box: Box },
  context: HtmlContext,
): string => {
  const { blocks, columns, rows } = cell;
  const [first] = blocks;
  const only = blocks.length === 1 && first?.kind === "paragraph" && first.list === undefined ? first : undefined;
  const spans = `${columns > 1 ? ` colspan="${columns}"` : ""}${rows > 1 ? ` rowspan="${rows}"` : ""}`;
  const side = only && ALIGNED[only.align];
  // As an attribute, so that it stays in formats without style sheets.
  const align = context.styled && side !== undefined ? ` style="text-align:${only?.rtl ? OPPOSITE[side] : side}"` : "";
  const style = context.sheet.mark(tag, cellStyle(cell, only, context.base, tag === "th" ? "header" : "cell"));
  const inner = only ? inlineHtml(only.runs, context, tag === "td") : `\n${blocksHtml(blocks, box, context)}`;
  return `<${tag}${spans}${style}${only ? direction(only) : ""}${align}>${blocks.length === 0 ? "" : inner}</${tag}>`;
};

const ALIGNED: Readonly<Record<string, "center" | "right" | undefined>> = { center: "center", end: "right" };
const OPPOSITE = { center: "center", right: "left" } as const;
