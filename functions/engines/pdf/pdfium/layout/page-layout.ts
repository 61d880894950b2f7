import { boxOfRule } from "../content/boxes.ts";
import type { Word } from "../content/content.ts";
import { areaOf, around, type Box } from "../page/geometry.ts";
import { bandsOf, type Region } from "./columns.ts";
import { decorated } from "./decorations.ts";
import type { DocumentStyle } from "./document-style.ts";
import { figuresOf } from "./figures.ts";
import type { Block, Column, Figure, Note, PageLayout, Section, Table } from "./model.ts";
import { marksIn, notesIn, referring } from "./notes.ts";
import { withPaleText } from "./pale-text.ts";
import { paragraphsIn, type TextBox, type TextContext } from "./paragraphs.ts";
import { type Line, rowsOf } from "./rows.ts";
import { type RunningLines, runningParagraphs } from "./running-lines.ts";
import { withSeparators } from "./separators.ts";
import { isInside } from "./strips.ts";
import { alignedTables } from "./tables/aligned.ts";
import { tableIn } from "./tables/ruled.ts";
import { dividedRuling, type Edge, joinRules, type Ruling, rulingsOf } from "./tables/rulings.ts";
import { turnedTexts, type UprightPage } from "./turned-pages.ts";

/** What the layout of a page depends on, apart from its content. */
export interface PageSurroundings {
  readonly style: DocumentStyle;
  readonly running: RunningLines;
  /** Left and right edge of the body of most pages. */
  readonly body: Pick<Box, "left" | "right">;
  /** Number of pages of the document. */
  readonly pages: number;
}

/** @returns the layout of one page */
export const pageLayout = ({ content, rotation }: UprightPage, around: PageSurroundings): PageLayout => {
  const { number, width, height, rtl, scanned } = content;
  const { style, running } = around;
  const own = { ...content, words: content.words.filter((word) => !running.words.has(word)) };
  const text = decorated(own);
  const found = figuresOf({ ...content, words: text.words });
  const free = { ...text, words: text.words.filter((word) => !found.labels.has(word)) };
  const { tables, boxes, words } = ruledTables({ ...free, size: width * height }, found.figures, {
    style,
    rtl,
    boxes: [],
    isCell: false,
  });
  const context = { style, rtl, boxes, isCell: false };
  const body = bodyOf(words, around.body, width);
  const rules = joinRules(text.rules.filter(({ across: isAcross }) => isAcross));
  const sections = sectionsOf({ words, solids: [...tables, ...found.figures] }, body, context, rules);
  const noted = withNotes(sections, style.bodySize);
  const whole = { left: body.left, right: body.right, top: 0, bottom: height };
  const known = { style, pages: around.pages };
  const page = {
    ...{ number, width, height, rtl, scanned },
    ...(rotation === undefined ? {} : { rotation }),
    ...noted,
    header: runningParagraphs(running.header, whole, known),
    footer: runningParagraphs(running.footer, whole, known),
    floats: found.floats,
    fields: content.fields,
    turned: turnedTexts({ ...content, turned: content.turned.filter((word) => !found.labels.has(word)) }),
  };
  return withPaleText(withSeparators(page, { ...text, words: content.words, boxes }), content);
};

/** @returns the edges of the page's body: those of most pages, unless its own text exceeds them */
const bodyOf = (
  words: readonly Word[],
  usual: Pick<Box, "left" | "right">,
  width: number,
): Pick<Box, "left" | "right"> => {
  const own = words.filter(({ left, right }) => left >= 0 && right <= width);
  return own.length === 0
    ? usual
    : {
        left: own.reduce((least, { left }) => Math.min(least, left), usual.left),
        right: own.reduce((most, { right }) => Math.max(most, right), usual.right),
      };
};

interface Found {
  readonly tables: readonly Table[];
  readonly boxes: readonly TextBox[];
  /** Words outside of tables. */
  readonly words: readonly Word[];
}

const RULINGS_MAX = 500;
/** Share of the page from which on a box is a frame of the page rather than of its paragraphs. */
const PAGE_FRAME = 0.5;

/** @returns the tables and boxes that rules and fills form, the innermost first; `size` is the area of the page */
const ruledTables = (
  { words, rules, fills, size }: ReturnType<typeof decorated> & { readonly size: number },
  figures: readonly Figure[],
  context: TextContext,
): Found => {
  const isFree = (box: Box) => !figures.some((figure) => isInside(box, figure, 2));
  const rulings = rulingsOf(
    rules.filter((rule) => isFree(boxOfRule(rule))),
    fills.filter(isFree),
  )
    .toSorted((one, other) => areaOf(one) - areaOf(other))
    .slice(-RULINGS_MAX);
  let left = words;
  const [tables, boxes]: [Table[], TextBox[]] = [[], []];
  const read = (ruling: Ruling): void => {
    const result = tableIn(ruling, between(left, ruling, rulings), figures, context);
    if (result?.table !== undefined) {
      const taken = new Set(result.words);
      left = left.filter((word) => !taken.has(word));
      tables.push(result.table);
    } else if (result?.box !== undefined) {
      boxes.push(...(areaOf(result.box) < PAGE_FRAME * size ? [result.box] : []));
    } else {
      dividedRuling(ruling).forEach(read);
    }
  };
  rulings.forEach(read);
  return { tables, boxes, words: left };
};

/** @returns the words in a ruling, and those up to the next ones above and below: rows may stand outside of the rules */
const between = (words: readonly Word[], ruling: Box, others: readonly Box[]): Word[] => {
  const level = others.filter(({ left, right }) => left < ruling.right && right > ruling.left);
  const top = level.reduce((most, { bottom }) => (bottom < ruling.top + 1 ? Math.max(most, bottom) : most), 0);
  const bottom = level.reduce(
    (least, other) => (other.top > ruling.bottom - 1 ? Math.min(least, other.top) : least),
    Number.POSITIVE_INFINITY,
  );
  return words.filter(({ baseline, size }) => baseline - 0.3 * size > top && baseline - 0.3 * size < bottom);
};

const sectionsOf = (
  region: Region,
  body: Pick<Box, "left" | "right">,
  context: TextContext,
  rules: readonly Edge[],
): Section[] =>
  bandsOf(region, context.rtl, { rules, boxes: context.boxes }).map(({ columns }) => {
    const built = columns.map((parts) => columnOf(parts, columns.length === 1 ? body : undefined, rules, context));
    return { ...around(built), columns: built };
  });

const columnOf = (
  parts: readonly Region[],
  body: Pick<Box, "left" | "right"> | undefined,
  rules: readonly Edge[],
  context: TextContext,
): Column => {
  const own = around(parts.flatMap(({ words, solids }) => [...words, ...solids]));
  const box = {
    ...own,
    left: Math.min(own.left, body?.left ?? own.left),
    right: Math.max(own.right, body?.right ?? own.right),
  };
  return {
    ...box,
    blocks: spaced(
      parts.flatMap((part) => blocksOf(part, box, rules, context)),
      box.top,
    ),
  };
};

/** @returns the blocks of a region from the top */
const blocksOf = ({ words, solids }: Region, column: Box, rules: readonly Edge[], context: TextContext): Block[] => {
  const rows = rowsOf(words);
  const tables = alignedTables(rows, rules, context);
  const inTable = new Map(tables.map(({ from, table }) => [from, table]));
  const taken = new Set(
    tables.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
  );
  const blocks: Block[] = [];
  const waiting = solids.toSorted((one, other) => one.top - other.top);
  let lines: Line[] = [];
  const flush = (): void => {
    blocks.push(...paragraphsIn(lines, column, context));
    lines = [];
  };
  for (const [index, row] of rows.entries()) {
    for (let [solid] = waiting; solid !== undefined && solid.top < row.baseline - 0.5 * row.size; [solid] = waiting) {
      flush();
      blocks.push(solid);
      waiting.shift();
    }
    const table = inTable.get(index);
    if (table !== undefined) {
      flush();
      blocks.push(table);
    }
    taken.has(index) || lines.push(row);
  }
  flush();
  return [...blocks, ...waiting];
};

/** @returns the blocks with the white space above each */
const spaced = (blocks: readonly Block[], top: number): Block[] =>
  blocks.map((block, index) => ({
    ...block,
    spaceBefore: Math.max(0, block.top - (blocks[index - 1]?.bottom ?? top)),
  }));

/** @returns the sections without the notes at the ends of columns, and the notes */
const withNotes = (sections: readonly Section[], bodySize: number): { sections: Section[]; notes: Note[] } => {
  const marks = marksIn(sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks)));
  if (marks.size === 0) {
    return { sections: [...sections], notes: [] };
  }
  const notes: Note[] = [];
  const without = sections.map((section) => ({
    ...section,
    columns: section.columns.map((column) => {
      const found = notesIn(column.blocks, marks, bodySize);
      notes.push(...found.notes);
      return { ...column, blocks: found.blocks };
    }),
  }));
  return {
    notes,
    sections: without.map((section) => ({
      ...section,
      columns: section.columns.map((column) => ({ ...column, blocks: referring(column.blocks, notes) })),
    })),
  };
};
