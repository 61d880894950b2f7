import type { Block, Note, PageLayout, Section } from "../layout/model.ts";
import { around } from "../page/geometry.ts";
import { bodyOf, numbered, paragraphsIn } from "../write/flow.ts";
import { like, type Part } from "./blocks.ts";
import { filler } from "./elements.ts";
import { addBeside, addBetween, addBlock, addParagraph, isBeside, isInMargin } from "./flow-blocks.ts";
import { flush, holdFiller, type OpenSection, type State } from "./flow-state.ts";
import type { Frame } from "./paragraphs.ts";
import { FULL_SLACK, framesOf, lowestOf, type Sheet, sameFrames, sectionXml } from "./sections.ts";
import { OVERLAP_MAX, withTables } from "./side-by-side.ts";

/** The body of a document whose text flows as on the pages. Written page by page; only the last block is held back. */
export interface Flow {
  /** @param anchors runs with what stands at positions on the page @returns the XML that is complete */
  addPage(page: PageLayout, sheet: Sheet, anchors: string): string;
  /** @returns the rest, with the last section */
  end(): string;
}

/** @param references the header and footer parts of a sheet */
export const flowOf = (part: Part, references: (sheet: Sheet) => string): Flow => {
  const state: State = {
    ...{ part, references, out: "", held: undefined, table: undefined, section: undefined },
    ...{ lead: "", pageBreak: false, newPage: false, y: 0, spare: 0, filled: 0, between: [] },
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
  state.spare = lowestOf(page) > sheet.lowest - FULL_SLACK ? sheet.missing : 0;
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
const isReferred = (page: PageLayout, note: Note): boolean => {
  const index = page.notes.indexOf(note);
  return paragraphsIn(bodyOf(page)).some(({ runs }) => runs.some((run) => run.note === index));
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
  // Notes that stand above the section become footnotes below it.
  const notes = page.notes
    .flatMap(({ blocks }) => blocks.map(({ bottom }) => bottom))
    .filter((bottom) => bottom <= top);
  endSection(state, below ? top - Math.max(state.y, ...notes) : 0);
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
    const asides = new Set<Block>(
      blocks.filter((block) => block.kind !== "paragraph" && (isBeside(block, blocks) || isInMargin(block, page))),
    );
    for (const block of asidesFirst(blocks, asides)) {
      if (block.kind !== "paragraph" && asides.has(block)) {
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

/** @returns the blocks, with what stands next to a table before it: a paragraph after the table may be on the next page */
const asidesFirst = (blocks: readonly Block[], asides: ReadonlySet<Block>): Block[] => {
  const left = new Set(asides);
  return blocks.flatMap((block) => {
    if (asides.has(block)) {
      return left.delete(block) ? [block] : [];
    }
    const nextTo = block.kind === "table" ? [...left].filter(({ top }) => top < block.bottom) : [];
    for (const aside of nextTo) {
      left.delete(aside);
    }
    return [...nextTo, block];
  });
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
