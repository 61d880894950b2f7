import type { PageContent, Rule, Word } from "../../../../functions/engines/pdf/pdfium/content/content.ts";
import { pageCollector } from "../../../../functions/engines/pdf/pdfium/layout/layout.ts";
import type {
  Block,
  CompleteLayout,
  PageLayout,
  Paragraph,
  Run,
  Table,
} from "../../../../functions/engines/pdf/pdfium/layout/model.ts";

/** Page contents made by hand, and what the layout finds in them. */

const RUN: Run = {
  ...{ text: "", bold: false, italic: false, mono: false, size: 10 },
  ...{ font: "Test", serif: false, color: "000000" },
};

/** Widths of a letter and of a space in units of the letter size. */
const LETTER = 0.5;
const SPACE = 0.25;

type LineOptions = Partial<Run> & { readonly rtl?: boolean; readonly tag?: Word["tag"] };

/** @returns the words of a line; the first starts at `left` */
export const line = (text: string, left: number, baseline: number, options: LineOptions = {}): Word[] => {
  const { rtl = false, tag, ...style } = options;
  const run = { ...RUN, ...style };
  let at = left;
  return text.split(" ").map((part) => {
    const word = wordAt(part, at, baseline, { run, rtl, tag });
    at = word.right + SPACE * run.size;
    return word;
  });
};

const wordAt = (
  text: string,
  left: number,
  baseline: number,
  { run, rtl, tag }: { run: Run; rtl: boolean; tag: Word["tag"] },
): Word => ({
  ...{ text, rtl, tag, baseline, left, right: left + text.length * LETTER * run.size },
  ...{ top: baseline - 0.75 * run.size, bottom: baseline + 0.22 * run.size },
  ...{ size: run.size, spaced: true, runs: [{ ...run, text }] },
});

/** @returns consecutive lines, `step` points apart */
export const lines = (
  texts: readonly string[],
  left: number,
  top: number,
  step = 12,
  options: LineOptions = {},
): Word[] => texts.flatMap((text, index) => line(text, left, top + index * step, options));

/** @returns rows of cells; the cells of a row start at the given places */
export const rows = (cells: readonly (readonly string[])[], lefts: readonly number[], top: number, step = 16): Word[] =>
  cells.flatMap((row, index) =>
    row.flatMap((cell, column) => (cell === "" ? [] : line(cell, lefts[column] ?? 0, top + index * step))),
  );

export const across = (at: number, from: number, to: number): Rule => ({
  ...{ across: true, at, from, to, width: 1, color: "000000" },
});

export const down = (at: number, from: number, to: number): Rule => ({ ...across(at, from, to), across: false });

const NAMES = ["a", "in", "map", "ship", "crew", "harbor", "captain", "lanterns", "anchorages", "lighthouse"];

/** @returns lines of prose that fill `width` points at 10 points */
export const prose = (count: number, width: number): string[] => {
  const found: string[] = [];
  let text = "";
  for (let state = 7; found.length < count; state = (state * 16_807) % 2_147_483_647) {
    const word = NAMES[state % NAMES.length] ?? "";
    const next = text === "" ? word : `${text} ${word}`;
    if (next.length * LETTER * RUN.size > width) {
      found.push(text);
      text = word;
    } else {
      text = next;
    }
  }
  return found;
};

/** @returns the content of a page of 600 × 800 points */
export const page = (content: Partial<PageContent>): PageContent => ({
  ...{ number: 1, width: 600, height: 800, words: [], turned: [], rules: [], fills: [] },
  ...{ drawings: [], pictures: [], links: [], rtl: false, scanned: false },
  ...content,
});

/** The pages of short documents are not stored in files, so there is no folder. */
export const layout = (...pages: readonly Partial<PageContent>[]): CompleteLayout => {
  const collector = pageCollector("/nonexistent");
  for (const [index, content] of pages.entries()) {
    collector.add(page({ number: index + 1, ...content }));
  }
  const found = collector.layout([]);
  return { ...found, pages: [...found.pages] };
};

/** @returns the layout of the first page */
export const firstPage = (content: Partial<PageContent>): PageLayout => {
  const [found] = layout(content).pages;
  if (found === undefined) {
    throw new TypeError("Expected a page.");
  }
  return found;
};

/** @returns the blocks of a page in reading order */
export const blocksIn = ({ sections }: PageLayout): Block[] =>
  sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => [...blocks]));

export const paragraphsIn = (found: PageLayout): Paragraph[] =>
  blocksIn(found).filter((block): block is Paragraph => block.kind === "paragraph");

export const tablesIn = (found: PageLayout): Table[] =>
  blocksIn(found).filter((block): block is Table => block.kind === "table");

export const textOf = ({ runs }: Pick<Paragraph, "runs">): string => runs.map(({ text }) => text).join("");

/** @returns the text of the cells, row by row; a merged cell is listed once */
export const cellsOf = ({ cells, ys }: Table): string[][] =>
  ys
    .slice(1)
    .map((_, row) =>
      cells
        .filter((cell) => cell.row === row)
        .map(({ blocks }) => blocks.map((block) => (block.kind === "paragraph" ? textOf(block) : "")).join(" ")),
    );
