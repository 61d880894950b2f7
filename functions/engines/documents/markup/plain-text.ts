import { serialize } from "parse5";
import { isRightToLeft } from "../html/direction.ts";
import { attributeOf, elementsBelow, escapeText, type HtmlElement, withoutControls } from "../html/tree.ts";
import { formulaSource } from "./markdown-inline.ts";

/**
 * @returns HTML paragraphs that need no cleaning. Empty lines separate paragraphs, and a form feed starts a page. Lines
 * are not joined, because that would break logs, poems and columns.
 */
export const htmlOfText = (text: string): string => {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  let startsPage = false;
  const end = (): void => {
    if (lines.length > 0) {
      paragraphs.push(paragraphOf(lines, startsPage));
      lines = [];
      startsPage = false;
    }
  };
  for (const [, line = "", mark] of text.matchAll(/([^\r\n\v\f\u0085\u2028\u2029]*)(\r\n|[\s\S]|$)/g)) {
    const shown = withoutControls(line).trimEnd();
    if (shown === "") {
      end();
    } else {
      lines.push(shown);
    }
    if (mark === "\f") {
      end();
      startsPage = paragraphs.length > 0;
    }
  }
  end();
  return paragraphs.join("\n");
};

/** Lines of one element. A browser lays out pages of an element in quadratic time: logs have 100,000 lines. */
const LINES_MAX = 200;

const paragraphOf = (lines: readonly string[], startsPage: boolean): string => {
  const direction = isRightToLeft(lines[0] ?? "") ? ' dir="rtl"' : "";
  // Columns aligned with spaces are preserved with a monospaced font.
  const isSpaced = lines.some((line) => /^ | {2}|\t/.test(line));
  const count = Math.ceil(lines.length / LINES_MAX);
  return Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0;
    const style = [
      ...(isSpaced ? ["white-space: pre-wrap", "font-family: monospace"] : []),
      ...(startsPage && isFirst ? ["break-before: page"] : []),
      ...(isFirst ? [] : ["margin-block-start: 0"]),
      ...(index === count - 1 ? [] : ["margin-block-end: 0"]),
    ].join("; ");
    const own = lines.slice(index * LINES_MAX, (index + 1) * LINES_MAX);
    return `<p${direction}${style === "" ? "" : ` style="${style}"`}>${own.map(escapeText).join("<br>")}</p>`;
  }).join("\n");
};

/** Task list checkboxes, as in our HTML. */
const CHECKBOX = /<input type="checkbox"[^>]*>/g;

/** The maximum number of table cells to lay out, with each spanning cell counted as often as it spans. */
const CELLS_MAX = 1_000_000;

/**
 * Replaces pictures with their alternative text, and formulas with their TeX if it is known. Links are followed by their URL unless it equals their text.
 *
 * @param body the body of a clean document, which is changed
 */
export const textOf = async (body: HtmlElement): Promise<string> => {
  const { convert } = await import("html-to-text");
  boundCells(body);
  for (const math of elementsBelow(body, "math")) {
    const source = formulaSource(math);
    math.childNodes = source === undefined ? math.childNodes : [{ nodeName: "#text", parentNode: math, value: source }];
  }
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

/**
 * A cell with a row span of a million would be laid out on all of these rows. Above the limit, all spans are removed.
 */
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
