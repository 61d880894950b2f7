import type { Fill, PageContent, Rule } from "../content/content.ts";
import { areaOf, type Box } from "../page/geometry.ts";
import type { Block, PageLayout, Section, Separator } from "./model.ts";
import { isInside } from "./strips.ts";

/** Points around tables, pictures and boxes in which lines and fills belong to them. */
const NEAR = 6;
/** Separators of a page; a page with more has a drawing. The longest are kept. */
const COUNT_MAX = 60;
/** Maximum lines and areas that are compared with the layout, and areas that are compared with the words. */
const COMPARED_MAX = 1_000;
const FILLS_MAX = 200;
/** Minimum length in points; shorter ones are parts of signs or boxes to tick. */
const LENGTH_MIN = 16;
/** Points from the edge of the paper in which short lines are marks for cutting it. */
const EDGE = 24;
const CUT_MARK_MAX = 30;
/** Minimum size in points of a filled area. */
const FILL_MIN = 2;
/** Share of the page from which on an area is its background. */
const BACKGROUND = 0.5;
/** Points above the notes of a page in which a line separates them from the text: Word draws that line. */
const NOTES_GAP = 20;
/** Points by which the middle of a line may be outside of the column it belongs to. */
const OUTSIDE_MAX = 12;
/** Points by which an upright line may continue below its paragraph: one that ends below the page would move the paragraph. */
const TALL_MAX = 40;
/** Points by which a line may be below the last paragraph of its column. */
const BELOW_MAX = 40;

interface Drawn {
  readonly rules: readonly Rule[];
  readonly fills: readonly Fill[];
  /** The boxes of paragraphs. */
  readonly boxes: readonly Box[];
  readonly words: PageContent["words"];
}

/**
 * @returns the page with the lines and filled areas that belong to nothing else: those next to a paragraph move with it,
 * all others stand at their positions on the page. Scans have none, because parts of letters can be taken for lines.
 */
export const withSeparators = (page: PageLayout, drawn: Drawn): PageLayout => {
  const separators = page.scanned ? [] : separatorsOf(page, drawn);
  if (separators.length === 0) {
    return page;
  }
  const { header, footer, width, height } = page;
  const left = new Set(separators);
  const columns = page.sections.flatMap((section) => section.columns).filter(({ blocks }) => blocks.length > 0);
  const [first, last] = [
    Math.min(height, ...columns.map(({ top }) => top)),
    Math.max(0, ...columns.map(({ bottom }) => bottom)),
  ];
  const headerEnd = Math.max(0, ...header.map(({ bottom }) => bottom));
  const [above, below] = [
    { left: 0, right: width, top: 0, bottom: Math.min(first, headerEnd + BELOW_MAX) },
    { left: 0, right: width, top: last, bottom: height },
  ];
  return {
    ...page,
    header: claimed(header, above, left),
    footer: claimed(footer, below, left),
    sections: page.sections.map(
      (section): Section => ({
        ...section,
        columns: section.columns.map((column) => ({
          ...column,
          blocks: claimed(column.blocks, { ...column, bottom: column.bottom + BELOW_MAX }, left),
        })),
      }),
    ),
    separators: [...left],
  };
};

const separatorsOf = (page: PageLayout, { rules, fills, boxes, words }: Drawn): Separator[] => {
  const blocks = page.sections.flatMap(({ columns }) => columns.flatMap((column) => column.blocks));
  const owners = [
    ...blocks.filter(({ kind }) => kind !== "paragraph"),
    ...page.floats,
    ...(page.fields ?? []),
    ...boxes,
  ];
  const isFree = (box: Box): boolean => !owners.some((owner) => isInside(box, owner, NEAR));
  const noteTop = Math.min(...page.notes.flatMap(({ blocks: [first] }) => first?.top ?? []));
  const isOfNotes = ({ bottom }: Box): boolean => bottom < noteTop && noteTop - bottom < NOTES_GAP;
  const isCutMark = (box: Box): boolean =>
    lengthOf(box) < CUT_MARK_MAX &&
    (box.right < EDGE || box.bottom < EDGE || box.left > page.width - EDGE || box.top > page.height - EDGE);
  const areas = fills.filter((fill) => isSmall(fill, page)).slice(0, FILLS_MAX);
  return [...rules.map(lineOf), ...areas.filter((fill) => !words.some((word) => isInside(word, fill)))]
    .filter((one) => one.color !== "ffffff" && lengthOf(one) >= LENGTH_MIN)
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, COMPARED_MAX)
    .filter((one) => isFree(one) && !isOfNotes(one) && !isCutMark(one))
    .slice(0, COUNT_MAX)
    .map(({ left, top, right, bottom, color }) => {
      // LibreOffice moves the text of a page if a drawing reaches into its notes.
      const isOver = top < noteTop && bottom > noteTop;
      return { left, top, right, bottom: isOver ? Math.max(top, noteTop - NOTES_GAP) : bottom, color };
    });
};

const isSmall = (fill: Box, { width, height }: PageLayout): boolean =>
  Math.min(fill.right - fill.left, fill.bottom - fill.top) >= FILL_MIN && areaOf(fill) < BACKGROUND * width * height;

const lineOf = ({ across, at, from, to, width, color }: Rule): Separator => {
  const [start, end] = [at - width / 2, at + width / 2];
  return across
    ? { left: from, right: to, top: start, bottom: end, color }
    : { left: start, right: end, top: from, bottom: to, color };
};

const lengthOf = ({ left, top, right, bottom }: Box): number => Math.max(right - left, bottom - top);

/**
 * @returns the blocks, whose paragraphs have the separators next to them: those between the block above, or the top of
 * the area, and the end of the paragraph, or that of the area if it is the last one. They are removed from `left`
 */
const claimed = (blocks: readonly Block[], area: Box, left: Set<Separator>): Block[] => {
  let from = area.top;
  return blocks.map((block, index): Block => {
    const [start, end] = [from, index === blocks.length - 1 ? area.bottom : block.bottom];
    from = block.bottom;
    const own =
      block.kind === "paragraph" ? [...left].filter((one) => isNextTo(one, { ...area, top: start, bottom: end })) : [];
    for (const one of own) {
      left.delete(one);
    }
    return block.kind === "paragraph" && own.length > 0 ? { ...block, separators: own } : block;
  });
};

/** @returns whether a separator starts in the area, or is a line across on its edge */
const isNextTo = ({ left, top, right, bottom }: Separator, area: Box): boolean => {
  const at = bottom - top > right - left ? top : (top + bottom) / 2;
  const middle = (left + right) / 2;
  return (
    middle > area.left - OUTSIDE_MAX &&
    middle < area.right + OUTSIDE_MAX &&
    at > area.top - 1 &&
    at <= area.bottom &&
    bottom <= area.bottom + TALL_MAX
  );
};
