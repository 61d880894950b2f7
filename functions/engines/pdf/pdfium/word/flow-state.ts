import type { Figure, Paragraph, Table } from "../layout/model.ts";
import type { Part } from "./blocks.ts";
import { filler } from "./elements.ts";
import type { Frame } from "./paragraphs.ts";
import type { Sheet } from "./sections.ts";
import { TABLE_END } from "./tables.ts";

/** What is known of a document's body while it is written: only the last paragraph is held back. */

/** A paragraph that is not written yet: its continuation, white space below it or the end of a section may follow. */
export interface Held {
  readonly paragraph?: Paragraph;
  write(held: Held, after: number, section: string): string;
}

export interface OpenSection {
  readonly sheet: Sheet;
  readonly frames: readonly Frame[];
  readonly type: "nextPage" | "continuous";
  readonly first: boolean;
  readonly rtl: boolean;
  balanced: boolean;
}

export interface State {
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
  /** Height by which white space on the page may be smaller. */
  spare: number;
  /** Height that all columns have reached. */
  filled: number;
  /** Blocks between the parts of a paragraph that continues after them. */
  readonly between: { readonly block: Figure | Table; readonly frame: Frame }[];
}

/** White space in points that may be smaller, and by which share. */
const WIDE_MIN = 24;
const SPARE_SHARE = 0.25;

/** @returns white space above a height on the page; less on a full page, whose text may be higher in another font */
export const spaceAbove = (state: State, top: number): number => {
  const space = top - state.y;
  const given = space < WIDE_MIN ? 0 : Math.min(state.spare, SPARE_SHARE * space);
  state.spare -= given;
  return space - given;
};

/** Holds a paragraph without text, with the breaks and drawings that are due. */
export const holdFiller = (state: State, height: number): void => {
  const { lead, pageBreak } = state;
  Object.assign(state, { lead: "", pageBreak: false });
  hold(state, { write: (_, after, section) => filler({ height, after, pageBreak, lead, section }) });
};

/** Writes what is held back, and holds the next paragraph. */
export const hold = (state: State, held: Held): void => {
  flush(state, 0);
  if (state.table !== undefined) {
    state.out += TABLE_END;
    state.table = undefined;
  }
  state.held = held;
};

export const flush = (state: State, after: number, section = ""): void => {
  if (state.held !== undefined) {
    state.out += state.held.write(state.held, after, section);
    state.held = undefined;
  }
};
