import type { DocumentLayout, PageLayout, Run, TextLine, TurnedText } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import { blocksOf, figuresIn, paragraphsIn } from "./flow.ts";
import type { HtmlDocument } from "./html-flow.ts";
import { htmlHead } from "./html-head.ts";
import { inlineHtml } from "./html-inline.ts";
import { newSheet, type Sheet } from "./html-sheet.ts";
import { leadOf, lineStyle } from "./html-style.ts";
import { escapeXml } from "./xml.ts";

/** @returns the pages with each line and picture at its position, on a picture of the page's drawings */
export const exactHtml = (layout: DocumentLayout): HtmlDocument => {
  const sheet = newSheet();
  const written = layout.pages.map((page) => linesHtml(page, sheet));
  const { rules, resolved } = sheet.finished();
  return {
    head: htmlHead(layout, `${rulesOf(layout)}\n${rules}`),
    pages: layout.pages.map((page, index) => {
      const figures = figuresIn(page);
      return {
        number: page.number,
        figures,
        backdrop: figures.filter(({ picture }) => picture === undefined),
        html: (sources, backdrop) =>
          [
            `<section class="page" style="width:${points(page.width)};height:${points(page.height)}">\n`,
            ...(backdrop === undefined ? [] : [imageHtml(wholeOf(page), backdrop, "")]),
            ...figures.map((figure) => imageHtml(figure, sources.get(figure), figure.alt ?? "")),
            resolved(written[index] ?? ""),
            "</section>\n",
          ].join(""),
      };
    }),
    tail: "</body>\n</html>\n",
  };
};

/** The first page's size is the paper's. */
const rulesOf = ({ pages: [first] }: DocumentLayout): string =>
  [
    ...(first === undefined ? [] : [`@page{margin:0;size:${points(first.width)} ${points(first.height)}}`]),
    "body{margin:0}",
    ".page{position:relative;overflow:hidden;margin:0 auto 12pt;outline:.5pt solid #bbb;break-after:page;color-scheme:light;background:#fff}",
    ".page>*{position:absolute;margin:0}",
    // The words of a line fill its width if the reader's font is narrower.
    ".page>div{white-space:nowrap;text-align:justify;text-align-last:justify;line-height:1;transform-origin:0 0}",
    ".page .hidden{opacity:0}",
    'a{color:inherit}sup,sub{font-size:.7em;line-height:0}code{font:inherit;font-family:"Courier New",monospace}',
    "@media print{.page{margin:0;outline:0}}",
  ].join("\n");

const points = (value: number): string => `${Math.round(value * 100) / 100}pt`;

const wholeOf = ({ width, height }: PageLayout): Box => ({ left: 0, top: 0, right: width, bottom: height });

const boxCss = ({ left, top, right, bottom }: Box): string =>
  `left:${points(left)};top:${points(top)};width:${points(right - left)};height:${points(bottom - top)}`;

const imageHtml = (box: Box, source: string | undefined, alt: string): string =>
  source === undefined ? "" : `<img src="${source}" alt="${escapeXml(alt)}" style="${boxCss(box)}">\n`;

const linesHtml = (page: PageLayout, sheet: Sheet): string => {
  const context = { sheet, referred: new Set<number>() };
  const text = (runs: readonly Run[]): string => inlineHtml(runs.map(withoutDrawings), context);
  const place = (runs: readonly Run[], style: string, rtl: boolean): string => {
    const lead = leadOf(runs);
    // A recognized text is in front of its picture, for selection and search.
    const mark = page.scanned ? ' class="hidden"' : lead === undefined ? "" : sheet.mark("div", lineStyle(lead));
    return `<div${mark}${rtl ? ' dir="rtl"' : ""} style="${style}">${text(runs)}</div>\n`;
  };
  const lines = paragraphsIn(blocksOf(page)).flatMap((paragraph) =>
    paragraph.lines.map((line) => place(line.runs, lineCss(line), paragraph.rtl)),
  );
  return [...lines, ...page.turned.map((turned) => place(turned.runs, turnedCss(turned), false))].join("");
};

/** The picture of the drawings has the lines and areas of a text. */
const withoutDrawings = (run: Run): Run => ({
  ...run,
  ...{ note: undefined, underline: undefined, strike: undefined, highlight: undefined },
});

/** Share of the size from the top of a line to its baseline, in the fonts that PDFs use most. */
const ASCENT = 0.84;

const lineCss = ({ left, right, baseline, runs }: TextLine): string => {
  const size = leadOf(runs)?.size ?? 0;
  return `left:${points(left)};top:${points(baseline - ASCENT * size)};width:${points(right - left)}`;
};

/** The box is turned about its corner at the start of the text. */
const turnedCss = ({ left, top, right, bottom, quarters }: TurnedText): string => {
  const [x, y] = quarters === 1 ? [right, top] : quarters === 2 ? [right, bottom] : [left, bottom];
  const length = quarters === 2 ? right - left : bottom - top;
  return `left:${points(x)};top:${points(y)};width:${points(length)};transform:rotate(${quarters * 90}deg)`;
};
