import type { Block, Figure, PageLayout, Paragraph, Table } from "../layout/model.ts";
import { flowing } from "../layout/runs.ts";
import { figureXml, openTable, placedXml, tableRows } from "./blocks.ts";
import { separatorsXml } from "./drawings.ts";
import { filler } from "./elements.ts";
import { boxXml, picturesXml } from "./exact.ts";
import { flush, hold, holdFiller, type State, spaceAbove } from "./flow-state.ts";
import { withOptionalHyphens } from "./hyphens.ts";
import type { Frame } from "./paragraphs.ts";
import { OVERLAP_MAX } from "./side-by-side.ts";
import { TABLE_END } from "./tables.ts";

/** Adds the blocks of a page to a document's body: paragraphs, tables and pictures. */

/** @returns whether other blocks of the column are next to a picture or table */
export const isBeside = (block: Figure | Table, blocks: readonly Block[]): boolean =>
  blocks.some(
    (other) =>
      other !== block &&
      Math.min(other.bottom, block.bottom) - Math.max(other.top, block.top) > OVERLAP_MAX &&
      (other.kind === "paragraph" || other.right - other.left > block.right - block.left),
  );

/** @returns whether a picture is next to the running lines */
export const isInMargin = ({ kind, top, bottom }: Figure | Table, { header, footer }: PageLayout): boolean =>
  kind === "figure" && (header.some((line) => line.bottom > top) || footer.some((line) => line.top < bottom));

/** Adds a picture or table at its position on the page, so that text can be next to it. */
export const addBeside = (state: State, block: Figure | Table): void => {
  if (block.kind === "figure") {
    state.lead += picturesXml(state.part, [block], true);
    return;
  }
  // LibreOffice 7 ignores the position of a floating table in documents with several sections.
  state.lead += boxXml(state.part, block, openTable(state.part, block, block).xml + TABLE_END + filler());
};

export const addBlock = (state: State, block: Block, frame: Frame): void => {
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

export const addParagraph = (state: State, source: Paragraph, frame: Frame): void => {
  const paragraph = { ...source, runs: withOptionalHyphens(source) };
  const start = state.held?.paragraph;
  if (start?.open === true && continues(start, paragraph)) {
    const joined = { ...start, runs: flowing(start.runs, paragraph.runs), open: paragraph.open };
    const { held } = state;
    state.held = held === undefined ? held : { ...held, paragraph: joined };
    // What stands on the page goes to the next paragraph that starts on it.
    state.lead += separatorsXml(paragraph.separators, state.part.word);
    state.pageBreak = false;
    state.y = paragraph.bottom;
    if (!paragraph.open) {
      addBetween(state);
    }
    return;
  }
  addBetween(state);
  const { part, y, lead, pageBreak } = state;
  const before = spaceAbove(state, paragraph.top);
  const isFirst = y === state.section?.sheet.top;
  const { list: mark } = paragraph;
  const list = mark === undefined ? undefined : part.word.numbering.refer(mark);
  Object.assign(state, { lead: "", pageBreak: false });
  state.y = Math.max(y, paragraph.top) + paragraph.bottom - paragraph.top;
  const placed = { frame, before, isFirst, lead, pageBreak, list };
  hold(state, {
    paragraph,
    write: (held, after, section) =>
      placedXml(part, { ...placed, paragraph: held.paragraph ?? paragraph, after, section }),
  });
};

/** @returns whether the second paragraph can be the rest of the first */
const continues = (before: Paragraph, { runs, heading, list }: Paragraph): boolean =>
  heading === undefined && list === undefined && Math.abs((before.runs.at(-1)?.size ?? 0) - (runs[0]?.size ?? 0)) < 1.5;

export const addBetween = (state: State): void => {
  for (const { block, frame } of state.between.splice(0)) {
    state.y = Math.min(state.y, block.top - block.spaceBefore);
    addUnjoined(state, block, frame);
  }
};

const addFigure = (state: State, figure: Figure, frame: Frame): void => {
  const { part, y, lead, pageBreak } = state;
  const before = spaceAbove(state, figure.top);
  Object.assign(state, { lead: "", pageBreak: false });
  state.y = Math.max(y, figure.top) + figure.bottom - figure.top;
  const placed = { figure, frame, before, pageBreak, lead };
  hold(state, { write: (_, after, section) => figureXml(part, { ...placed, after, section }) });
};

const addTable = (state: State, table: Table, frame: Frame): void => {
  const { part, table: before } = state;
  if (before?.table.open === true && state.held === undefined && before.table.xs.length === table.xs.length) {
    const skip = before.table.headedOnce === false ? before.table.headerRows : 0;
    const grid = { ...table, xs: before.table.xs, rtl: before.table.rtl };
    state.out += tableRows(part, grid, { padding: before.padding, skip });
    state.table = { table: grid, padding: before.padding };
    state.pageBreak = false;
  } else {
    const space = spaceAbove(state, table.top);
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
