import type { Block, Figure, Note, PageLayout, Paragraph, Section, Table } from "../layout/model.ts";
import { flowing } from "../layout/runs.ts";
import { around } from "../page/geometry.ts";
import { numbered, paragraphsIn } from "../write/flow.ts";
import { figureXml, like, openTable, type Part, placedXml, tableRows } from "./blocks.ts";
import { filler } from "./elements.ts";
import { boxXml, picturesXml } from "./exact.ts";
import { withOptionalHyphens } from "./hyphens.ts";
import type { Frame } from "./paragraphs.ts";
import { FULL_SLACK, framesOf, type Sheet, sameFrames, sectionXml } from "./sections.ts";
import { OVERLAP_MAX, withTables } from "./side-by-side.ts";
import { TABLE_END } from "./tables.ts";

/** The body of a document whose text flows as on the pages. Written page by page; only the last block is held back. */
export interface Flow {
  /** @param anchors runs with what stands at positions on the page @returns the XML that is complete */
  addPage(page: PageLayout, sheet: Sheet, anchors: string): string;
  /** @returns the rest, with the last section */
  end(): string;
}

/** A paragraph that is not written yet: its continuation, white space below it or the end of a section may follow. */
interface Held {
  readonly paragraph?: Paragraph;
  write(held: Held, after: number, section: string): string;
}

interface OpenSection {
  readonly sheet: Sheet;
  readonly frames: readonly Frame[];
  readonly type: "nextPage" | "continuous";
  readonly first: boolean;
  readonly rtl: boolean;
  balanced: boolean;
}

interface State {
  readonly part: Part;
  readonly references: (sheet: Sheet) => string;
  out: string;
  held: Held | undefined;
  table: { readonly table: Table; readonly padding: number } | undefined;
  section: OpenSection | undefined;
  /** Runs for the next paragraph: anchored drawings, breaks. */
  lead: string;
  pageBreak: boolean;
  /** Whether nothing has been written of the page. */
  newPage: boolean;
  /** Height on the page that the text has reached. */
  y: number;
  /** Height that all columns have reached. */
  filled: number;
  /** Blocks between the parts of a paragraph that continues after them. */
  readonly between: { readonly block: Figure | Table; readonly frame: Frame }[];
}

/** @param references the header and footer parts of a sheet */
export const flowOf = (part: Part, references: (sheet: Sheet) => string): Flow => {
  const state: State = {
    ...{ part, references, out: "", held: undefined, table: undefined, section: undefined },
    ...{ lead: "", pageBreak: false, newPage: false, y: 0, filled: 0, between: [] },
  };
  const taken = (): string => {
    const { out } = state;
    state.out = "";
    return out;
  };
  return {
    addPage: (page, sheet, anchors) => {
      addPage(state, page, { sheet, anchors });
      return taken();
    },
    end: () => {
      end(state);
      return taken();
    },
  };
};

/** A page that ends higher above the paper's edge is not full: in shares of the top margin, and the least margin in points. */
const END_SHARE = 1.6;
const END_MARGIN = 54;

const addPage = (state: State, page: PageLayout, { sheet, anchors }: { sheet: Sheet; anchors: string }): void => {
  const offset = state.part.notes.length;
  state.part.notes.push(...page.notes);
  const end = Math.max(sheet.lowest - FULL_SLACK, sheet.height - END_SHARE * Math.max(sheet.top, END_MARGIN));
  const full = state.filled > end && startsWithText(page);
  state.newPage = state.section !== undefined;
  state.pageBreak = state.newPage && !full;
  state.lead += anchors;
  state.y = sheet.top;
  const [left, right] = [sheet.left, sheet.width - sheet.right];
  const frame = { left, right, column: { left, right }, slack: 0 };
  const sections = page.sections.filter(({ columns }) => columns.some(({ blocks }) => blocks.length > 0));
  if (sections.length === 0 && state.section?.sheet !== sheet) {
    beginSection(state, [frame], { page, sheet, top: sheet.top });
    state.newPage = false;
  }
  for (const section of sections) {
    addSection(state, section, { page, sheet, offset });
  }
  for (const { mark, blocks } of page.notes.filter((note) => !isReferred(page, note))) {
    for (const [index, block] of blocks.entries()) {
      const runs = index === 0 ? [...like(block.runs[0], `${mark} `), ...block.runs] : block.runs;
      addParagraph(state, { ...block, runs }, frame);
    }
  }
  state.pageBreak ||= state.newPage;
  if (state.lead !== "" || state.pageBreak) {
    holdFiller(state, 1);
  }
};

/** @returns whether a page starts with something that can follow the text of the page before: no title, no table */
const startsWithText = ({ sections }: PageLayout): boolean => {
  const block = sections[0]?.columns[0]?.blocks[0];
  return block?.kind === "figure" || (block?.kind === "paragraph" && block.heading !== 1);
};

/** @returns whether a paragraph of the page refers to the note, so that it is a footnote */
const isReferred = ({ notes, sections }: PageLayout, note: Note): boolean => {
  const index = notes.indexOf(note);
  const blocks = sections.flatMap(({ columns }) => columns.flatMap((column) => column.blocks));
  return paragraphsIn(blocks).some(({ runs }) => runs.some((run) => run.note === index));
};

/** Holds a paragraph without text, with the breaks and drawings that are due. */
const holdFiller = (state: State, height: number): void => {
  const { lead, pageBreak } = state;
  Object.assign(state, { lead: "", pageBreak: false });
  hold(state, { write: (_, after, section) => filler({ height, after, pageBreak, lead, section }) });
};

/** Difference in points from which the ends of columns are not equal. */
const UNEVEN_MIN = 40;
const COLUMN_BREAK = '<w:r><w:br w:type="column"/></w:r>';

interface Place {
  readonly page: PageLayout;
  readonly sheet: Sheet;
  /** Number of notes on the pages before. */
  readonly offset: number;
}

/** @returns the section with one column, if its columns overlap */
const separated = (section: Section): Section => {
  const { columns } = section;
  const overlap = columns.some((one, index) =>
    columns
      .slice(index + 1)
      .some((other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > OVERLAP_MAX),
  );
  return overlap
    ? { ...section, columns: [{ ...around(columns), blocks: columns.flatMap(({ blocks }) => blocks) }] }
    : section;
};

interface Start {
  readonly page: PageLayout;
  readonly sheet: Sheet;
  /** Height on the page, unless the section starts the page. */
  readonly top: number;
}

const beginSection = (state: State, frames: readonly Frame[], { page, sheet, top }: Start): void => {
  const first = state.section?.sheet !== sheet;
  const type = first || state.pageBreak ? "nextPage" : "continuous";
  const below = type === "continuous" && !state.newPage;
  endSection(state, below ? top - state.y : 0);
  state.pageBreak = false;
  state.y = below ? top : sheet.top;
  state.section = { sheet, frames, type, first, rtl: page.rtl, balanced: true };
};

const addSection = (state: State, source: Section, { page, sheet, offset }: Place): void => {
  const section = separated(source);
  const frames = framesOf(section, sheet);
  const { section: current } = state;
  const goesOn =
    current !== undefined &&
    current.sheet === sheet &&
    sameFrames(current.frames, frames) &&
    (frames.length === 1 || state.newPage);
  const ends = section.columns.map(({ blocks }) => blocks.at(-1)?.bottom ?? section.top);
  const uneven = Math.max(...ends) - Math.min(...ends) > UNEVEN_MIN;
  if (!goesOn) {
    beginSection(state, frames, { page, sheet, top: section.top });
  }
  const top = state.y;
  let bottom = top;
  for (const [index, column] of section.columns.entries()) {
    const frame = frames[index];
    if (frame === undefined) {
      continue;
    }
    if (index > 0) {
      state.y = top;
      const open = state.held?.paragraph?.open === true;
      state.lead += uneven && !open ? COLUMN_BREAK : "";
      if (uneven && open && state.section !== undefined) {
        state.section.balanced = false;
      }
    }
    const blocks = withTables(column.blocks.map((block) => numbered(block, offset)));
    for (const block of blocks) {
      if (block.kind !== "paragraph" && (isBeside(block, blocks) || isInMargin(block, page))) {
        addBeside(state, block);
      } else {
        addBlock(state, block, frame);
      }
    }
    bottom = Math.max(bottom, state.y);
  }
  state.y = bottom;
  state.filled = uneven ? Math.min(...ends) : bottom;
  state.newPage = false;
};

/** @returns whether other blocks of the column are next to a picture or table */
const isBeside = (block: Figure | Table, blocks: readonly Block[]): boolean =>
  blocks.some(
    (other) =>
      other !== block &&
      Math.min(other.bottom, block.bottom) - Math.max(other.top, block.top) > OVERLAP_MAX &&
      (other.kind === "paragraph" || other.right - other.left > block.right - block.left),
  );

/** @returns whether a picture is next to the running lines */
const isInMargin = ({ kind, top, bottom }: Figure | Table, { header, footer }: PageLayout): boolean =>
  kind === "figure" && (header.some((line) => line.bottom > top) || footer.some((line) => line.top < bottom));

/** Adds a picture or table at its position on the page, so that text can be next to it. */
const addBeside = (state: State, block: Figure | Table): void => {
  if (block.kind === "figure") {
    state.lead += picturesXml(state.part, [block], true);
    return;
  }
  // LibreOffice 7 ignores the position of a floating table in documents with several sections.
  state.lead += boxXml(state.part, block, openTable(state.part, block, block).xml + TABLE_END + filler());
};

const addBlock = (state: State, block: Block, frame: Frame): void => {
  if (block.kind === "paragraph") {
    addParagraph(state, block, frame);
  } else if (state.held?.paragraph?.open === true && state.between.length < BETWEEN_MAX) {
    state.between.push({ block, frame });
  } else {
    addUnjoined(state, block, frame);
  }
};

/** Pictures and tables that may stand between the parts of a paragraph. */
const BETWEEN_MAX = 8;

const addUnjoined = (state: State, block: Figure | Table, frame: Frame): void =>
  block.kind === "table" ? addTable(state, block, frame) : addFigure(state, block, frame);

const addParagraph = (state: State, source: Paragraph, frame: Frame): void => {
  const paragraph = { ...source, runs: withOptionalHyphens(source) };
  const before = state.held?.paragraph;
  if (before?.open === true && continues(before, paragraph)) {
    const joined = { ...before, runs: flowing(before.runs, paragraph.runs), open: paragraph.open };
    const { held } = state;
    state.held = held === undefined ? held : { ...held, paragraph: joined };
    // What stands on the page goes to the next paragraph that starts on it.
    state.pageBreak = false;
    state.y = paragraph.bottom;
    if (!paragraph.open) {
      addBetween(state);
    }
    return;
  }
  addBetween(state);
  const { part, y, lead, pageBreak } = state;
  const { list: mark } = paragraph;
  const list = mark === undefined ? undefined : part.word.numbering.refer(mark);
  Object.assign(state, { lead: "", pageBreak: false });
  state.y = Math.max(y, paragraph.top) + paragraph.bottom - paragraph.top;
  const placed = { frame, before: paragraph.top - y, lead, pageBreak, list };
  hold(state, {
    paragraph,
    write: (held, after, section) =>
      placedXml(part, { ...placed, paragraph: held.paragraph ?? paragraph, after, section }),
  });
};

/** @returns whether the second paragraph can be the rest of the first */
const continues = (before: Paragraph, { runs, heading, list }: Paragraph): boolean =>
  heading === undefined && list === undefined && Math.abs((before.runs.at(-1)?.size ?? 0) - (runs[0]?.size ?? 0)) < 1.5;

const addBetween = (state: State): void => {
  for (const { block, frame } of state.between.splice(0)) {
    state.y = Math.min(state.y, block.top - block.spaceBefore);
    addUnjoined(state, block, frame);
  }
};

const addFigure = (state: State, figure: Figure, frame: Frame): void => {
  const { part, y, lead, pageBreak } = state;
  Object.assign(state, { lead: "", pageBreak: false });
  state.y = Math.max(y, figure.top) + figure.bottom - figure.top;
  const placed = { figure, frame, before: figure.top - y, pageBreak, lead };
  hold(state, { write: (_, after, section) => figureXml(part, { ...placed, after, section }) });
};

const addTable = (state: State, table: Table, frame: Frame): void => {
  const { part, table: before } = state;
  if (before?.table.open === true && state.held === undefined && before.table.xs.length === table.xs.length) {
    const skip = sameHeader(before.table, table) ? table.headerRows : 0;
    const grid = { ...table, xs: before.table.xs };
    state.out += tableRows(part, grid, { padding: before.padding, skip });
    state.table = { table: grid, padding: before.padding };
    state.pageBreak = false;
  } else {
    const space = table.top - state.y;
    if (state.held === undefined || state.pageBreak || state.lead !== "") {
      holdFiller(state, Math.max(1, space));
      flush(state, 0);
    } else {
      flush(state, space);
    }
    const { xml, padding } = openTable(part, table, frame);
    state.out += xml;
    state.table = { table, padding };
  }
  state.y = table.bottom;
};

const sameHeader = (one: Table, other: Table): boolean => {
  const headerOf = ({ cells, headerRows }: Table) =>
    cells
      .filter(({ row }) => row < headerRows)
      .flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === "paragraph" ? block.runs.map(({ text }) => text) : [])),
      )
      .join("");
  return other.headerRows > 0 && headerOf(one) === headerOf(other);
};

/** Writes what is held back, and holds the next paragraph. */
const hold = (state: State, held: Held): void => {
  flush(state, 0);
  if (state.table !== undefined) {
    state.out += TABLE_END;
    state.table = undefined;
  }
  state.held = held;
};

const flush = (state: State, after: number, section = ""): void => {
  if (state.held !== undefined) {
    state.out += state.held.write(state.held, after, section);
    state.held = undefined;
  }
};

/** @param space white space before the next section */
const endSection = (state: State, space: number): void => {
  addBetween(state);
  if (state.section === undefined) {
    return;
  }
  if (state.held === undefined) {
    const { lead, pageBreak } = state;
    Object.assign(state, { lead: "", pageBreak: false });
    holdFiller(state, Math.max(1, space));
    Object.assign(state, { lead, pageBreak });
  }
  flush(state, space, propertiesOf(state, state.section));
};

const propertiesOf = ({ references }: State, section: OpenSection): string =>
  sectionXml({ ...section, references: section.first ? references(section.sheet) : "" });

/** Columns are balanced by an empty section after them; otherwise Word fills the first column. */
const end = (state: State): void => {
  addBetween(state);
  const { section } = state;
  if (section === undefined) {
    state.out += filler();
    return;
  }
  if (section.frames.length > 1 && section.balanced) {
    endSection(state, 0);
    const { sheet, rtl } = section;
    state.out += filler() + sectionXml({ sheet, frames: [], type: "continuous", references: "", first: false, rtl });
    return;
  }
  if (state.held === undefined) {
    holdFiller(state, 1);
  }
  flush(state, 0);
  state.out += propertiesOf(state, section);
};
