import type { Fill, PageContent } from "../content/content.ts";
import { areaOf, type Box } from "../page/geometry.ts";
import type { Block, PageLayout, Paragraph, Run, Section, Table } from "./model.ts";

/** Colors that cannot be read on white paper. */
const PALE = /^(?:[ef][0-9a-f]){3}$/;
const DARK = "000000";
/** Maximum number of backgrounds that are compared, the largest first. */
const BACKGROUNDS_MAX = 500;

/** What is under the text of a page, the largest first. */
interface Backgrounds {
  readonly fills: readonly Fill[];
  readonly pictures: readonly Box[];
}

/**
 * @returns the page with pale text that can be read: a paragraph gets the color of the fill that is under it if the layout has
 * the fill nowhere else, and is black if nothing is under it, because a background as large as the page is not part of
 * the layout
 */
export const withPaleText = (page: PageLayout, { fills, pictures, drawings }: PageContent): PageLayout => {
  const largest = <B extends Box>(boxes: readonly B[]): B[] =>
    boxes.toSorted((one, other) => areaOf(other) - areaOf(one)).slice(0, BACKGROUNDS_MAX);
  const under = {
    fills: largest(fills.filter(({ color }) => !PALE.test(color))),
    pictures: largest([...pictures, ...drawings]),
  };
  const readable = (blocks: readonly Block[]): Block[] => blocks.map((block) => blockOn(block, under));
  return {
    ...page,
    sections: page.sections.map(
      (section): Section => ({
        ...section,
        columns: section.columns.map((column) => ({ ...column, blocks: readable(column.blocks) })),
      }),
    ),
    header: readable(page.header),
    footer: readable(page.footer),
  };
};

const blockOn = (block: Block, under: Backgrounds): Block => {
  if (block.kind === "paragraph") {
    return paragraphOn(block, under);
  }
  return block.kind === "table" ? tableOn(block, under) : block;
};

const tableOn = (table: Table, under: Backgrounds): Table => ({
  ...table,
  cells: table.cells.map((cell) =>
    cell.fill === undefined ? { ...cell, blocks: cell.blocks.map((block) => blockOn(block, under)) } : cell,
  ),
});

const paragraphOn = (paragraph: Paragraph, under: Backgrounds): Paragraph => {
  if (paragraph.fill !== undefined || !paragraph.runs.some(isPale)) {
    return paragraph;
  }
  const box = paragraph.lines.find(({ runs }) => runs.some(isPale)) ?? paragraph;
  const fill = under.fills.findLast((one) => isUnder(one, box));
  if (fill !== undefined && paragraph.runs.every((run) => isPale(run) || run.text.trim() === "")) {
    return { ...paragraph, fill: fill.color };
  }
  if (fill === undefined && under.pictures.some((picture) => isUnder(picture, box))) {
    return paragraph;
  }
  const look = fill === undefined ? { color: DARK } : { highlight: fill.color };
  const readable = (runs: readonly Run[]): Run[] => runs.map((run) => (isPale(run) ? { ...run, ...look } : run));
  return {
    ...paragraph,
    runs: readable(paragraph.runs),
    lines: paragraph.lines.map((line) => ({ ...line, runs: readable(line.runs) })),
  };
};

const isPale = ({ color, highlight }: Run): boolean => PALE.test(color) && highlight === undefined;

const isUnder = (under: Box, box: Box): boolean => {
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return x >= under.left && x <= under.right && y >= under.top && y <= under.bottom;
};
