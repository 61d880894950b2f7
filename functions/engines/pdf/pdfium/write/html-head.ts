import type { Block, CompleteLayout, Paragraph } from "../layout/model.ts";
import { textOf } from "../layout/runs.ts";
import { bodyOf, type FlowPage } from "./flow.ts";
import type { Base } from "./html-style.ts";
import { escapeXml } from "./xml.ts";

/** @returns the start of an HTML document */
export const htmlHead = (layout: CompleteLayout, style: string): string => {
  const language = layout.language === undefined ? "" : ` lang="${escapeXml(layout.language)}"`;
  const rtl = layout.pages.filter((page) => page.rtl).length * 2 > layout.pages.length;
  return [
    "<!doctype html>",
    `<html${language}${rtl ? ' dir="rtl"' : ""}>`,
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeXml(titleOf(layout))}</title>`,
    ...(style === "" ? [] : [`<style>\n${style}\n</style>`]),
    "</head>",
    "<body>\n",
  ].join("\n");
};

const titleOf = ({ title, pages }: CompleteLayout): string => {
  const heading = pages.flatMap(bodyOf).find(isHeading);
  return title || (heading === undefined ? "PDF" : textOf(heading.runs).replace(/\s+/gu, " "));
};

const isHeading = (block: Block): block is Paragraph => block.kind === "paragraph" && block.heading !== undefined;

const RULES = `h1,h2,h3,h4,h5,h6,p,ul,ol,figure{margin:0;font:inherit}
ul,ol{padding-inline-start:2em}
table{border-collapse:collapse}
td,th{padding:.15em .4em;vertical-align:top;text-align:start;font-weight:inherit;border:0}
figure{break-inside:avoid}
img{width:100%;height:auto}
a{color:inherit}
[href^="#note-"],[href^="#ref-"]{text-decoration:none}
code{font-size:.9em}
sup,sub{font-size:.7em;line-height:0}
mark{color:inherit}
.notes{margin-top:2em;border-top:.5pt solid;font-size:.85em}`;

/** Space around the text, in points, if a page has less. */
const MARGIN_MIN = 18;

/**
 * The page's size, columns and font are in a layer. Our HTML cleaner leaves layers out, so that a book made from the
 * document has those of the reader's device.
 *
 * @returns the rules for the page, and those for all documents
 */
export const pageRules = ({ pages, language }: CompleteLayout, flow: readonly FlowPage[], base: Base): string => {
  const { size, leading, family, color } = base;
  const counts = flow.flatMap(({ sections }) => sections.map(({ columns }) => columns.length));
  const lefts = pages.flatMap(({ sections }) => sections.map(({ left }) => left)).toSorted((one, other) => one - other);
  const margin = Math.max(MARGIN_MIN, Math.round(lefts[Math.floor(lefts.length / 4)] ?? 0));
  const width = Math.round(Math.max(...pages.map((page) => page.width), 0));
  const columns = [...new Set(counts)].filter((count) => count > 1);
  return [
    "@layer page{",
    `body{box-sizing:border-box;max-width:${width}pt;margin:0 auto;padding:3em min(${margin}pt,6vw);` +
      `font:${size}pt/${leading} ${family};color:#${color}${language === undefined ? "" : ";hyphens:auto"}}`,
    "@media (min-width:40em){",
    ...columns.map((count) => `.columns-${count}{columns:${count};column-gap:2em}`),
    ".split{display:grid;column-gap:2em}",
    "}",
    "}",
    RULES,
  ].join("\n");
};
