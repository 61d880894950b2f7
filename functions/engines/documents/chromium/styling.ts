import { DEFAULT_RULES } from "../html/default-style.ts";
import { attributeOf, type HtmlElement, textBelow } from "../html/tree.ts";
import type { PrintedPart } from "./ready.ts";

/** Default styling for documents without styles, and print rules for all documents. */

/** Purely presentational elements and attributes, as in emails. */
const STYLING_ELEMENTS = /^(?:font|center|big|tt|basefont)$/;
const LOOKS_ATTRIBUTES = /^(?:bgcolor|background|cellpadding|cellspacing|color|face|text|link)$/;

/**
 * Declarations that tables in lightweight markup and columns of plain text have; they do not count as the document's
 * styling.
 */
const STYLING_DECLARATION =
  /(?:^|;)\s*(?!text-align\b|white-space\b|break-before\b|margin-block-(?:start|end)\s*:\s*0|font-family\s*:\s*monospace\b)[a-z-]+\s*:/i;

/** A document counts as unstyled if at most one in this many elements has styling, such as Markdown with some HTML. */
const STYLED_ELEMENTS = 20;

/** @returns whether the document has styling, from a style sheet or on its elements */
export const hasStyling = (elements: readonly HtmlElement[]): boolean =>
  elements.some((element) => element.tagName === "style" && textBelow(element).trim() !== "") ||
  elements.filter(isStyled).length * STYLED_ELEMENTS > elements.length;

const isStyled = (element: HtmlElement): boolean =>
  STYLING_ELEMENTS.test(element.tagName) ||
  STYLING_DECLARATION.test(attributeOf(element, "style") ?? "") ||
  element.attrs.some(({ name, value }) => LOOKS_ATTRIBUTES.test(name) && value !== "");

/** @returns the style sheets to insert before the document's */
export const sheetsFor = ({ styled, pages, longWords }: PrintedPart): string =>
  [
    EVERY_SHEET,
    styled ? "" : `@layer anyform {\n${DEFAULT_RULES}\n}`,
    longWords && !styled ? LONG_WORDS_SHEET : "",
    pages ? "" : UNNAMED_SHEET,
  ].join("");

/**
 * For all documents. In a layer, so that any rule of the document takes precedence, whatever its specificity (CSS
 * Cascading and Inheritance 5, 6.4.4).
 */
const EVERY_SHEET = `
@layer anyform {
  img, svg { max-width: 100%; }
  img:not([height]) { height: auto; }
  @media print {
    h1, h2, h3, h4, h5, h6 { break-after: avoid; }
    img, svg, tr, figure { break-inside: avoid; }
    img:not([height]):not([width]) { max-height: 95vh; object-fit: contain; }
    thead { display: table-header-group; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    p, li { orphans: 2; widows: 2; }
    a { overflow-wrap: anywhere; }
    section.chapter { break-before: page; }
    section.chapter:first-of-type { break-before: auto; }
  }
  section.cover { text-align: center; }
  body:has(> .mail-head) { font-family: "Noto Sans", "DejaVu Sans", "Liberation Sans", Arial, Helvetica, sans-serif; }
  .mail-head th { text-align: start; vertical-align: top; font-weight: 600; padding-inline-end: 1em; }
  .mail-head td { overflow-wrap: anywhere; }
  section.cover img { max-height: 95vh; }
}
`;

/**
 * For documents that use named pages without describing any, such as all emails from Outlook: the name alone would
 * cause a page break. Important declarations in a layer override unlayered ones.
 */
const UNNAMED_SHEET = "@layer anyform { * { page: auto !important; } }";

/** For tables with words that are too long for a column. Other words must not be broken to fit a narrow column. */
const LONG_WORDS_SHEET = "@layer anyform { td, th { overflow-wrap: anywhere; } }";
