import { serialize } from "parse5";
import { isRightToLeft } from "../io/html-direction.ts";
import { attributeOf, elementsBelow, escapeText, type HtmlElement, withoutControls } from "../io/html-tree.ts";

/**
 * @returns paragraphs of HTML that need no cleaning: empty lines part them, and every line stays a line of its own, because
 * logs, poems and columns would suffer from being filled
 */
export const htmlOfText = (text: string): string => {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  const end = (): void => {
    if (lines.length > 0) {
      paragraphs.push(paragraphOf(lines));
      lines = [];
    }
  };
  for (const line of text.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/)) {
    const shown = withoutControls(line).trimEnd();
    if (shown === "") {
      end();
    } else {
      lines.push(shown);
    }
  }
  end();
  return paragraphs.join("\n");
};

const paragraphOf = (lines: readonly string[]): string => {
  const direction = isRightToLeft(lines[0] ?? "") ? ' dir="rtl"' : "";
  // Columns that are made of spaces stay columns.
  const spacing = lines.some((line) => /^ | {2}|\t/.test(line)) ? ' style="white-space: pre-wrap"' : "";
  return `<p${direction}${spacing}>${lines.map(escapeText).join("<br>")}</p>`;
};

/** The boxes of tasks, as our own HTML writes them. */
const CHECKBOX = /<input type="checkbox"[^>]*>/g;

/** Cells that a table is laid out on, all those that reach over others counted as often as they do. */
const CELLS_MAX = 1_000_000;

/**
 * Pictures have no place in a text, their words do; a link says where it leads unless its words are that already.
 *
 * @param body the body of a clean document, which is changed
 */
export const textOf = async (body: HtmlElement): Promise<string> => {
  const { convert } = await import("html-to-text");
  boundCells(body);
  const html = serialize(body).replace(CHECKBOX, (box) => (box.includes("checked") ? "[x]" : "[ ]"));
  const text = convert(html, {
    wordwrap: false,
    limits: { maxInputLength: html.length },
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
      { selector: "ul", options: { itemPrefix: "- " } },
    ],
  });
  const lines = text.split("\n").map((line) => line.trimEnd());
  return `${lines
    .join("\n")
    .replace(/\n{4,}/g, "\n\n\n")
    .trimEnd()}\n`;
};

/** A cell that says it reaches over a million rows would be laid out on all of them; then none reaches over any. */
const boundCells = (body: HtmlElement): void => {
  const cells = elementsBelow(body, "td", "th");
  const span = (cell: HtmlElement, name: string) => Number.parseInt(attributeOf(cell, name) ?? "1", 10) || 1;
  const area = cells.reduce((sum, cell) => sum + span(cell, "colspan") * span(cell, "rowspan"), 0);
  if (area > CELLS_MAX) {
    for (const cell of cells) {
      cell.attrs = cell.attrs.filter(({ name }) => name !== "colspan" && name !== "rowspan");
    }
  }
};
