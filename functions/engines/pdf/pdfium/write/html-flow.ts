import type { Block, CompleteLayout, Figure, Note } from "../layout/model.ts";
import { textOf } from "../layout/runs.ts";
import type { Box } from "../page/geometry.ts";
import { type FlowPage, type FlowSection, flowOf } from "./flow.ts";
import { blocksHtml, type HtmlContext } from "./html-blocks.ts";
import { htmlHead, pageRules } from "./html-head.ts";
import { newSheet, plainSheet } from "./html-sheet.ts";
import { baseOf, gapStyle } from "./html-style.ts";
import { escapeXml } from "./xml.ts";

/** A document as HTML without its pictures. */
export interface HtmlDocument {
  readonly head: string;
  readonly pages: readonly HtmlPage[];
  readonly tail: string;
}

export interface HtmlPage {
  readonly number: number;
  readonly figures: readonly Figure[];
  /** Whether the page is written on a picture of its drawings: the areas without drawings. @default it is not */
  readonly backdrop?: readonly Box[];
  /** @param sources the URL of each figure's picture; figures without one are left out */
  html(sources: ReadonlyMap<Figure, string>, backdrop?: string): string;
}

/** Placeholders of figures are between noncharacters, which escaped text does not have. */
const FIGURE = /\ufffe(\d+)\ufffe\n?/g;

/** @returns the text of the pages as headings, paragraphs, lists and tables, with a style sheet if `styled` */
export const flowHtml = (layout: CompleteLayout, styled: boolean): HtmlDocument => {
  const { pages, notes } = flowOf(layout.pages);
  const sheet = styled ? newSheet() : plainSheet();
  const figures: { readonly figure: Figure; readonly attributes: string }[] = [];
  const context: HtmlContext = {
    ...{ sheet, styled, base: baseOf(layout), referred: new Set() },
    figure: (figure, attributes) => `\ufffe${figures.push({ figure, attributes }) - 1}\ufffe`,
  };
  const written = pages.map((page) => pageHtml(page, context));
  const noted = notes.map((note, index) => noteHtml(note, index, context)).join("");
  const { rules, resolved } = sheet.finished();
  return {
    head: htmlHead(layout, styled ? `${pageRules(layout, pages, context.base)}\n${rules}` : ""),
    pages: written.map((html, index) => ({
      number: pages[index]?.page.number ?? 0,
      figures: [...html.matchAll(FIGURE)].flatMap(([, at]) => figures[Number(at)]?.figure ?? []),
      html: (sources) =>
        resolved(
          html.replace(FIGURE, (_, at) => {
            const shown = figures[Number(at)];
            const source = shown && sources.get(shown.figure);
            return shown === undefined || source === undefined
              ? ""
              : `<figure${shown.attributes}>${pictureHtml(shown.figure, source, styled)}</figure>\n`;
          }),
        ),
    })),
    tail: `${noted === "" ? "" : `<section class="notes">\n${resolved(noted)}</section>\n`}</body>\n</html>\n`,
  };
};

const PIXELS_PER_POINT = 96 / 72;

const pictureHtml = ({ left, top, right, bottom, text }: Figure, source: string, styled: boolean): string => {
  const [width, height] = [right - left, bottom - top].map((points) => Math.round(points * PIXELS_PER_POINT));
  // A PDF may show a picture with other proportions than its own.
  const ratio = styled ? ` style="aspect-ratio:${width}/${height}"` : "";
  return `<img src="${source}" alt="${escapeXml(text ?? "")}" width="${width}" height="${height}"${ratio}>`;
};

/** Columns that are equally wide are one text that the reader's program divides. */
const EQUAL_RATIO = 1.25;

const pageHtml = ({ page, sections }: FlowPage, context: HtmlContext): string => {
  const turned = page.turned.map(({ runs }) => `<p>${escapeXml(textOf(runs))}</p>\n`);
  return sections.map((section) => sectionHtml(section, context)).join("") + turned.join("");
};

const sectionHtml = ({ columns, gap }: FlowSection, context: HtmlContext): string => {
  const filled = columns.filter(({ blocks }) => blocks.length > 0);
  if (!context.styled || filled.length < 2) {
    return filled.map((column) => blocksHtml(lowered(column.blocks, gap), column, context)).join("");
  }
  const written = columns.map((column) => blocksHtml(column.blocks, column, context));
  const widths = columns.map(({ left, right }) => Math.round(right - left));
  const space = context.sheet.mark("div", gapStyle(gap, context.base));
  return Math.max(...widths) < EQUAL_RATIO * Math.min(...widths)
    ? `<div${space}><div class="columns-${columns.length}">\n${written.join("")}</div></div>\n`
    : `<div${space}><div class="split" style="grid-template-columns:${widths.map((width) => `${width}fr`).join(" ")}">\n` +
        `${written.map((html) => `<div>\n${html}</div>\n`).join("")}</div></div>\n`;
};

/** @returns the blocks with additional white space above the first */
const lowered = ([first, ...others]: readonly Block[], gap: number): Block[] =>
  first === undefined ? [] : [{ ...first, spaceBefore: first.spaceBefore + gap }, ...others];

const noteHtml = ({ mark, blocks }: Note, index: number, context: HtmlContext): string => {
  const column = { left: 0, top: 0, right: 0, bottom: 0 };
  const text = escapeXml(mark);
  const back = context.referred.has(index) ? `<a href="#ref-${index + 1}">${text}</a>` : text;
  const html = blocksHtml(blocks, column, context) || "<p></p>\n";
  return `<div id="note-${index + 1}">\n${html.replace(">", () => `>${back} `)}</div>\n`;
};
