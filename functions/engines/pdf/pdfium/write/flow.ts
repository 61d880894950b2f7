import type { Block, Cell, Column, Figure, Note, PageLayout, Paragraph, Run, Section, Table } from "../layout/model.ts";
import { flowing, textOf } from "../layout/runs.ts";
import type { Box } from "../page/geometry.ts";

/** The body of a page. Paragraphs and tables that began on an earlier page are there, as one. */
export interface FlowPage {
  readonly page: PageLayout;
  readonly sections: readonly FlowSection[];
}

export interface FlowSection {
  readonly columns: readonly FlowColumn[];
  /** White space between this and the section above, in points. */
  readonly gap: number;
}

export interface FlowColumn extends Box {
  readonly blocks: readonly Block[];
}

/** The text of pages as one flow. `note` of a run is the index in `notes`. */
export interface Flow {
  readonly pages: readonly FlowPage[];
  readonly notes: readonly Note[];
}

/** Minimum share of a page covered by a background picture: a scan under recognized text. */
const BACKGROUND_SHARE = 0.6;

/** @returns whether a picture is the background of a page with text */
export const isBackground = ({ left, top, right, bottom }: Figure, page: PageLayout): boolean =>
  (right - left) * (bottom - top) >= BACKGROUND_SHARE * page.width * page.height &&
  (page.scanned || bodyOf(page).some(({ kind }) => kind !== "figure"));

/**
 * @returns the body of the pages: paragraphs and tables joined over columns and pages, and pictures next to the text
 * before the block next to them; background pictures are left out
 */
export const flowOf = (pages: readonly PageLayout[]): Flow => {
  const add = joining();
  const notes: Note[] = [];
  const flow = pages.map((page) => {
    const first = notes.length;
    notes.push(...page.notes.map((note) => ({ ...note, blocks: note.blocks.map((block) => numbered(block, first)) })));
    const sections = sectionsOf(page).map(({ columns, top }, index, all) => ({
      gap: Math.max(0, top - (all[index - 1]?.bottom ?? top)),
      columns: columns.map(({ blocks, ...box }) => {
        const kept: Block[] = [];
        for (const block of blocks) {
          if (block.kind !== "figure" || !isBackground(block, page)) {
            add(kept, numbered(block, first));
          }
        }
        return { ...box, blocks: kept };
      }),
    }));
    return { page, sections };
  });
  return { pages: flow, notes };
};

/** @returns a function that adds a block to a list, or to the open paragraph or table of an earlier list */
const joining = (): ((list: Block[], block: Block) => void) => {
  let paragraph: { readonly list: Block[]; readonly index: number } | undefined;
  let table: typeof paragraph;
  return (list, block) => {
    const place = block.kind === "paragraph" ? paragraph : block.kind === "table" ? table : undefined;
    const joined = place && joinedBlock(place.list[place.index], block);
    if (place !== undefined && joined !== undefined) {
      place.list[place.index] = joined;
      return;
    }
    list.push(block);
    paragraph = block.kind === "paragraph" ? { list, index: list.length - 1 } : paragraph;
    table = block.kind === "table" ? { list, index: list.length - 1 } : table;
  };
};

const joinedBlock = (one: Block | undefined, other: Block): Block | undefined => {
  if (one?.kind === "paragraph" && other.kind === "paragraph" && one.open) {
    const runs = flowing(one.runs, other.runs);
    return { ...one, runs, open: other.open, lineHeight: one.lineHeight || other.lineHeight };
  }
  const alike = one?.kind === "table" && other.kind === "table" && one.open && one.xs.length === other.xs.length;
  return alike ? joinedTable(one, other) : undefined;
};

const joinedTable = (one: Table, other: Table): Table => {
  const skipped = one.headedOnce === false ? one.headerRows : 0;
  const rows = one.ys.length - 1;
  const down = (one.ys.at(-1) ?? 0) - (other.ys[skipped] ?? 0);
  const cells = other.cells.filter(({ row }) => row >= skipped);
  return {
    ...one,
    open: other.open,
    headedOnce: other.headedOnce,
    ys: [...one.ys, ...other.ys.slice(skipped + 1).map((y) => y + down)],
    cells: [...one.cells, ...cells.map((cell) => ({ ...cell, row: cell.row - skipped + rows }))],
  };
};

/** @returns the paragraphs of a cell, separated by spaces */
export const cellText = ({ blocks }: Cell): string =>
  paragraphsIn(blocks)
    .map(({ runs }) => textOf(runs).replace(/\s+/gu, " ").trim())
    .filter((text) => text !== "")
    .join(" ");

/** @returns the paragraphs among the blocks and in their tables */
export const paragraphsIn = (blocks: readonly Block[]): Paragraph[] =>
  blocks.flatMap((block) => {
    if (block.kind === "table") {
      return block.cells.flatMap((cell) => paragraphsIn(cell.blocks));
    }
    return block.kind === "paragraph" ? [block] : [];
  });

/** Notes are counted by page in the layout, and in the complete document here. */
export const numbered = <B extends Block>(block: B, first: number): B => {
  if (first === 0 || block.kind === "figure") {
    return block;
  }
  if (block.kind === "table") {
    const cells = block.cells.map((cell) => ({ ...cell, blocks: cell.blocks.map((inner) => numbered(inner, first)) }));
    return { ...block, cells };
  }
  const runs = block.runs.map((run: Run) => (run.note === undefined ? run : { ...run, note: run.note + first }));
  return { ...block, runs };
};

/** @returns the sections of a page with the pictures next to the text in their columns */
const sectionsOf = (page: PageLayout): readonly Section[] => {
  const floats = page.floats.filter((figure) => !isBackground(figure, page));
  const sections =
    page.sections.length > 0 ? page.sections : [{ ...wholeOf(page), columns: [{ ...wholeOf(page), blocks: [] }] }];
  const columns = sections.flatMap((section) => section.columns);
  const nearest = Map.groupBy(floats, (figure) =>
    columns.reduce((best, column) => (distance(column, figure) < distance(best, figure) ? column : best)),
  );
  return sections.map((section) => ({
    ...section,
    columns: section.columns.map((column) => ({ ...column, blocks: withFigures(column, nearest.get(column) ?? []) })),
  }));
};

const wholeOf = ({ width, height }: PageLayout): Box => ({ left: 0, top: 0, right: width, bottom: height });

const distance = (column: Box, figure: Box): number => {
  const [x, y] = [(figure.left + figure.right) / 2, (figure.top + figure.bottom) / 2];
  return Math.max(column.left - x, x - column.right, 0) + Math.max(column.top - y, y - column.bottom, 0);
};

const withFigures = ({ blocks }: Column, figures: readonly Figure[]): readonly Block[] => {
  const merged = blocks.slice();
  for (const figure of figures) {
    const at = merged.findIndex(({ top }) => top >= figure.top - 1);
    merged.splice(at < 0 ? merged.length : at, 0, figure);
  }
  return merged;
};

/** @returns the blocks of a page's body, in reading order */
export const bodyOf = ({ sections }: { readonly sections: readonly Pick<Section, "columns">[] }): Block[] =>
  sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks));

/** @returns the blocks of a page in the order of its areas, with those that are not in the flow of the document */
export const blocksOf = (page: PageLayout): Block[] => [
  ...page.header,
  ...bodyOf(page),
  ...page.notes.flatMap(marked),
  ...page.footer,
];

/** @returns the paragraphs of a note, with its mark before the text of the first */
const marked = ({ mark, blocks: [first, ...others] }: Note): Paragraph[] => {
  const [run] = first?.runs ?? [];
  return first === undefined || run === undefined
    ? others
    : [{ ...first, runs: [{ ...run, text: `${mark} ` }, ...first.runs] }, ...others];
};

/** @returns the pictures of a page: those outside of the flow of text first */
export const figuresIn = (page: PageLayout): Figure[] => [...page.floats, ...figuresBelow(blocksOf(page))];

/** @returns the pictures among the blocks and in their tables */
export const figuresBelow = (blocks: readonly Block[]): Figure[] =>
  blocks.flatMap((block) => {
    if (block.kind === "table") {
      return block.cells.flatMap((cell) => figuresBelow(cell.blocks));
    }
    return block.kind === "figure" ? [block] : [];
  });

/** @returns the tables among the blocks */
export const tablesIn = (blocks: readonly Block[]): Table[] => blocks.filter((block) => block.kind === "table");

/** A cell at one of its places in the grid. */
export interface Place {
  readonly cell: Cell;
  /** Whether the cell begins in another column, or in another row. */
  readonly across: boolean;
  readonly down: boolean;
}

/** @returns the places of each row in reading order; undefined without a cell */
export const gridOf = ({ cells, xs, ys, rtl }: Table): (Place | undefined)[][] => {
  const columns = xs.length - 1;
  const grid = ys.slice(1).map(() => new Array<Place | undefined>(columns).fill(undefined));
  for (const cell of cells) {
    for (let down = 0; down < cell.rows; down += 1) {
      for (let across = 0; across < cell.columns; across += 1) {
        const column = rtl ? columns - cell.column - cell.columns + across : cell.column + across;
        const row = grid[cell.row + down];
        if (row !== undefined && column >= 0 && column < columns) {
          row[column] = { cell, across: across > 0, down: down > 0 };
        }
      }
    }
  }
  return grid;
};
