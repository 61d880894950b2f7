import type {
  Block,
  Column,
  CompleteLayout,
  PageLayout,
  Paragraph,
  Run,
  Section,
} from "../../../../functions/engines/pdf/pdfium/layout/model.ts";

/** Layouts of documents for tests of the writers, without a PDF. */

export const run = (text: string, changes: Partial<Run> = {}): Run => ({
  text,
  ...{ bold: false, italic: false, mono: false, serif: false, size: 10, font: "Arial", color: "000000" },
  ...changes,
});

/** @returns a paragraph of one line per 12 points of height, at 72 points from the left */
export const paragraph = (text: string | readonly Run[], top: number, changes: Partial<Paragraph> = {}): Paragraph => {
  const runs = typeof text === "string" ? [run(text)] : text;
  const box = { left: 72, right: 540, top, bottom: top + 12 };
  return {
    kind: "paragraph",
    runs,
    ...box,
    lines: [{ ...box, baseline: top + 9.6, runs }],
    ...{ align: "start", indentLeft: 0, indentRight: 0, firstLine: 0, spaceBefore: 0, lineHeight: 0 },
    ...{ rtl: false, open: false },
    ...changes,
  };
};

const MARGIN = 72;
const [WIDTH, HEIGHT] = [612, 792];

export const column = (blocks: readonly Block[], left = MARGIN, right = WIDTH - MARGIN): Column => ({
  ...{ left, right, blocks },
  top: Math.min(...blocks.map((block) => block.top)),
  bottom: Math.max(...blocks.map((block) => block.bottom)),
});

export const section = (...columns: readonly Column[]): Section => ({
  columns,
  left: Math.min(...columns.map(({ left }) => left)),
  right: Math.max(...columns.map(({ right }) => right)),
  top: Math.min(...columns.map(({ top }) => top)),
  bottom: Math.max(...columns.map(({ bottom }) => bottom)),
});

/** @returns a page of the size Letter; blocks are one column */
export const page = (blocks: readonly Block[], changes: Partial<PageLayout> = {}): PageLayout => ({
  ...{ number: 1, width: WIDTH, height: HEIGHT, rtl: false, scanned: false },
  sections: blocks.length === 0 ? [] : [section(column(blocks))],
  ...{ header: [], footer: [], notes: [], floats: [], turned: [] },
  ...changes,
});

export const layout = (...pages: readonly PageLayout[]): CompleteLayout => ({
  pages: pages.map((one, index) => ({ ...one, number: index + 1 })),
  ...{ bodySize: 10, missing: [], empty: false },
});
