import { readFile } from "node:fs/promises";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { Content, GridCell, GridCells } from "../result.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

const BLOCKS = new Set([
  "p",
  "div",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "td",
  "th",
  "tr",
  "br",
  "pre",
  "table",
  "section",
  "aside",
  "figure",
  "figcaption",
  "ul",
  "ol",
  "header",
  "footer",
]);
const SKIPPED = new Set(["head", "script", "style", "svg", "template"]);
/** Running titles and notes of pages are not body text. */
const RUNNING = new Set(["header", "footer"]);

export const readHtml = async (path: string): Promise<Content> => {
  const grids: GridCells[] = [];
  const [lines, labels]: [string[], string[]] = [[""], []];
  const visit = (node: Node): void => {
    if (node.nodeName === "#text" && "value" in node) {
      lines[lines.length - 1] += node.value;
    }
    if (node.nodeName === "img" && "attrs" in node) {
      labels.push(...node.attrs.filter(({ name }) => name === "alt").map(({ value }) => value));
    }
    if (!("childNodes" in node) || SKIPPED.has(node.nodeName) || RUNNING.has(node.nodeName)) {
      return;
    }
    const isBlock = BLOCKS.has(node.nodeName);
    lines.push(...(isBlock ? [""] : []));
    node.childNodes.forEach(visit);
    lines.push(...(isBlock ? [""] : []));
    if (node.nodeName === "table") {
      grids.push(gridOf(node));
    }
  };
  parse(await readFile(path, "utf8")).childNodes.forEach(visit);
  return { lines: lines.filter((line) => line.trim() !== ""), grids, words: [], labels };
};

const gridOf = (table: Node): GridCells => {
  const cells: GridCell[] = [];
  const taken = new Set<string>();
  for (const [row, line] of elements(table, ["tr"]).entries()) {
    let column = 0;
    for (const cell of elements(line, ["td", "th"])) {
      while (taken.has(`${row} ${column}`)) {
        column += 1;
      }
      const [rows, columns] = [spanOf(cell, "rowspan"), spanOf(cell, "colspan")];
      for (let at = 0; at < rows * columns; at += 1) {
        taken.add(`${row + Math.floor(at / columns)} ${column + (at % columns)}`);
      }
      cells.push({ row, column, rows, columns, text: textOf(cell) });
      column += columns;
    }
  }
  return cells;
};

/** @returns elements of these names below the node, outside of inner tables */
const elements = (node: Node, names: readonly string[]): Node[] =>
  "childNodes" in node
    ? node.childNodes.flatMap((child) =>
        names.includes(child.nodeName) ? [child] : child.nodeName === "table" ? [] : elements(child, names),
      )
    : [];

const SPAN_MAX = 1_000;

const spanOf = (cell: Node, name: string): number => {
  const value = "attrs" in cell ? Number(cell.attrs.find((attribute) => attribute.name === name)?.value) : 1;
  return value > 0 && value < SPAN_MAX ? value : 1;
};

const textOf = (node: Node): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join(" ") : "";
