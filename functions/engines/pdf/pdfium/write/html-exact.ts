import type { CompleteLayout, PageLayout, Paragraph, Run, TextLine, TurnedText } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import { blocksOf, figuresIn, paragraphsIn } from "./flow.ts";
import type { HtmlDocument } from "./html-flow.ts";
import { htmlHead } from "./html-head.ts";
import { newSheet, type Sheet } from "./html-sheet.ts";
import { letterStyle } from "./html-style.ts";
import { escapeXml } from "./xml.ts";

/**
 * @returns the pages with each line and picture at its position, on a picture of the page's drawings. Lines are SVG text,
 * which keeps the width and baseline of the page in any font.
 */
export const exactHtml = (layout: CompleteLayout): HtmlDocument => {
  const sheet = newSheet();
  const written = layout.pages.map((page) => textsXml(page, sheet));
  const { rules, resolved } = sheet.finished();
  const { width = 0, height = 0 } = layout.pages[0] ?? {};
  return {
    head: htmlHead(layout, `@page{margin:0;size:${width}pt ${height}pt}\n${RULES}\n${rules}`),
    pages: layout.pages.map((page, index) => {
      const figures = figuresIn(page);
      const size = `width="${page.width}pt" height="${page.height}pt" viewBox="0 0 ${page.width} ${page.height}"`;
      return {
        number: page.number,
        figures,
        backdrop: figures.filter(({ picture }) => picture === undefined),
        html: (sources, backdrop) =>
          [
            `<svg ${size}>\n`,
            imageXml({ left: 0, top: 0, right: page.width, bottom: page.height }, backdrop),
            ...figures.map((figure) => imageXml(figure, sources.get(figure), figure.text)),
            resolved(written[index] ?? ""),
            "</svg>\n",
          ].join(""),
      };
    }),
    tail: "</body>\n</html>\n",
  };
};

/** Lines start at their left edge, also on pages that read from the right, unless they say otherwise. */
const RULES = `body{margin:0}
svg{direction:ltr;display:block;margin:0 auto 12pt;outline:.5pt solid #bbb;background:#fff;break-after:page}
text{white-space:pre}
.hidden{opacity:0}
@media print{svg{margin:0;outline:0}}`;

const rounded = (points: number): number => Math.round(points * 100) / 100;

const imageXml = ({ left, top, right, bottom }: Box, source: string | undefined, alt = ""): string => {
  const title = alt === "" ? "" : `<title>${escapeXml(alt)}</title>`;
  const place = `x="${rounded(left)}" y="${rounded(top)}" width="${rounded(right - left)}" height="${rounded(bottom - top)}"`;
  return source === undefined ? "" : `<image ${place} preserveAspectRatio="none" href="${source}">${title}</image>\n`;
};

const textsXml = (page: PageLayout, sheet: Sheet): string => {
  const lines = paragraphsIn(blocksOf(page)).flatMap((paragraph) =>
    paragraph.lines.map((line) => lineXml(line, paragraph, sheet)),
  );
  const texts = [...lines, ...page.turned.map((text) => turnedXml(text, sheet))].join("");
  // Recognized text is in front of its picture, for selection and search.
  return page.scanned ? `<g class="hidden">\n${texts}</g>\n` : texts;
};

/** The text after a tab has its own position, if the layout knows it. */
const lineXml = ({ left, right, baseline, runs, tabs = [] }: TextLine, { rtl }: Paragraph, sheet: Sheet): string => {
  const y = `y="${rounded(baseline)}"`;
  if (rtl) {
    return textXml(`x="${rounded(right)}" ${y} direction="rtl"`, right - left, { runs, sheet });
  }
  const parts = partsOf(runs);
  return parts
    .map((part, index) => {
      const x = index === 0 ? left : (tabs[index - 1] ?? left);
      const isLast = index === parts.length - 1;
      return textXml(`x="${rounded(x)}" ${y}`, isLast ? right - x : 0, { runs: part, sheet });
    })
    .join("");
};

/** @returns the runs between tabs */
const partsOf = (runs: readonly Run[]): Run[][] => {
  const parts: Run[][] = [[]];
  for (const run of runs) {
    for (const [index, text] of run.text.split("\t").entries()) {
      index > 0 && parts.push([]);
      parts.at(-1)?.push({ ...run, text });
    }
  }
  return parts;
};

/** Share of the height of turned text that is below its baseline. */
const DESCENT = 0.2;

const turnedXml = ({ left, top, right, bottom, quarters, runs }: TurnedText, sheet: Sheet): string => {
  const [width, height] = quarters === 2 ? [right - left, bottom - top] : [bottom - top, right - left];
  const [x, y] = quarters === 1 ? [right, top] : quarters === 2 ? [right, bottom] : [left, bottom];
  const turn = `transform="translate(${rounded(x)} ${rounded(y)}) rotate(${quarters * 90})"`;
  return textXml(`${turn} y="${rounded(height * (1 - DESCENT))}"`, width, { runs, sheet });
};

/** Shares of the size by which letters are moved down. */
const SHIFTS = { above: -0.33, below: 0.15 } as const;

const textXml = (
  place: string,
  width: number,
  { runs, sheet }: { readonly runs: readonly Run[]; readonly sheet: Sheet },
): string => {
  let shifted = 0;
  const parts = runs.map((run) => {
    const down = run.shift === undefined ? 0 : SHIFTS[run.shift] * run.size;
    const dy = down === shifted ? "" : ` dy="${rounded(down - shifted)}"`;
    shifted = down;
    const part = `<tspan${sheet.mark("span", letterStyle(run))}${dy}>${escapeXml(run.text)}</tspan>`;
    return run.link === undefined ? part : `<a href="${escapeXml(run.link)}">${part}</a>`;
  });
  const stretched = width > 1 ? ` textLength="${rounded(width)}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<text ${place}${stretched}>${parts.join("")}</text>\n`;
};
