import { attributeOf, elementsBelow, type HtmlElement, type HtmlNode, isElement } from "../html/tree.ts";
import type { Inline } from "./markdown-inline.ts";

/** Maximum columns of a table; more than the widest spreadsheets have can only come from an incorrect `colspan`. */
const COLUMNS_MAX = 1_000;

/**
 * @returns a table in GitHub's format; or, for a layout table (one column, or nested tables), its cells, whose content
 * is to be written one after the other
 */
export const tableOf = (table: HtmlElement, inline: Inline): string | readonly HtmlElement[] => {
  const rows = rowsOf(table);
  const cells = rows.flatMap((row) => row.cells);
  const columns = Math.min(
    COLUMNS_MAX,
    rows.reduce((most, { width }) => Math.max(most, width), 0),
  );
  const captions = table.childNodes.filter(isElement).filter(({ tagName }) => tagName === "caption");
  if (columns < 2 || elementsBelow(table, "table").length > 0) {
    return [...captions, ...cells];
  }
  const [first] = rows;
  const hasHead = first !== undefined && (first.inHead || first.cells.every(({ tagName }) => tagName === "th"));
  const lines = linesOf(rows, columns, inline);
  const head = hasHead ? (lines[0] ?? []) : Array.from({ length: columns }, () => "");
  const rules = Array.from({ length: columns }, (_, index) => RULES[alignmentOf(rows[0]?.cells[index])] ?? "---");
  const written = [head, rules, ...lines.slice(hasHead ? 1 : 0)].map((line) => `| ${line.join(" | ")} |`).join("\n");
  const words = captions.map((caption) => inline.line(caption.childNodes)).filter((text) => text !== "");
  return [...words, written].join("\n\n");
};

interface Row {
  readonly cells: readonly HtmlElement[];
  /** The number of columns that the cells span. */
  readonly width: number;
  readonly inHead: boolean;
}

/** The table's own rows, excluding nested tables; header rows first. */
const rowsOf = (table: HtmlElement): Row[] => {
  const groups = table.childNodes.filter(isElement);
  const order = [
    ...groups.filter(({ tagName }) => tagName === "thead"),
    ...groups.filter(({ tagName }) => tagName !== "thead"),
  ];
  return order
    .flatMap((group) =>
      (group.tagName === "tr" ? [group] : group.childNodes.filter(isElement))
        .filter(({ tagName }) => tagName === "tr")
        .map((row) => ({ row, inHead: group.tagName === "thead" })),
    )
    .map(({ row, inHead }) => {
      const cells = row.childNodes.filter(isElement).filter(({ tagName }) => tagName === "td" || tagName === "th");
      return { cells, inHead, width: cells.reduce((sum, cell) => sum + spanOf(cell), 0) };
    })
    .filter(({ cells }) => cells.length > 0);
};

const spanOf = (cell: HtmlElement, name = "colspan"): number => {
  const span = Number.parseInt(attributeOf(cell, name) ?? "1", 10);
  return span > 1 ? Math.min(span, COLUMNS_MAX) : 1;
};

/** @returns the texts of the rows. A cell that spans several rows or columns leaves the other places empty. */
const linesOf = (rows: readonly Row[], columns: number, inline: Inline): string[][] => {
  /** The number of further rows that a cell above covers, by column. */
  const covered = new Array<number>(columns).fill(0);
  return rows.map(({ cells }) => {
    const texts = covered.map(() => "");
    const free = covered.map((more) => more === 0);
    let column = free.indexOf(true);
    for (const cell of cells) {
      if (column < 0 || column >= columns) {
        break;
      }
      texts[column] = cellText(cell, inline);
      const [across, down] = [spanOf(cell), spanOf(cell, "rowspan")];
      covered.fill(down, column, Math.min(columns, column + across));
      column = free.indexOf(true, column + across);
    }
    for (const [index, more] of covered.entries()) {
      covered[index] = Math.max(0, more - 1);
    }
    return texts;
  });
};

const BLOCKS = /^(?:p|div|h[1-6]|li|pre|blockquote|ul|ol|dl|dt|dd|section|figure|figcaption)$/;

/** Cells cannot contain blocks: each block becomes a line. */
const cellText = (cell: HtmlElement, inline: Inline): string => {
  const lines: string[] = [];
  let words: HtmlNode[] = [];
  const end = (): void => {
    const text = inline.cell(words);
    words = [];
    if (text !== "") {
      lines.push(text);
    }
  };
  const visit = (nodes: readonly HtmlNode[]): void => {
    for (const node of nodes) {
      if (isElement(node) && BLOCKS.test(node.tagName)) {
        end();
        visit(node.childNodes);
        end();
      } else {
        words.push(node);
      }
    }
  };
  visit(cell.childNodes);
  end();
  return lines.join("<br>");
};

const RULES: Readonly<Record<string, string>> = { left: ":---", right: "---:", center: ":---:" };

const alignmentOf = (cell: HtmlElement | undefined): string => {
  if (cell === undefined) {
    return "";
  }
  const style = /(?:^|;)\s*text-align:\s*(\w+)/i.exec(attributeOf(cell, "style") ?? "")?.[1];
  return (style ?? attributeOf(cell, "align") ?? "").toLowerCase();
};
