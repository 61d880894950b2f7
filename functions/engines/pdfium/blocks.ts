import type { Line } from "./lines.ts";
import type { Run } from "./pieces.ts";

/** What a page says, in the order of reading: the model between PDFium and the formats that are written. */
export type Block = Heading | Paragraph | List | Table | Picture;

export interface Heading {
  readonly kind: "heading";
  /** 1 is the largest. */
  readonly level: number;
  readonly runs: readonly Run[];
}

export interface Paragraph {
  readonly kind: "paragraph";
  readonly runs: readonly Run[];
}

export interface List {
  readonly kind: "list";
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** 0 for the outermost list. */
  readonly depth: number;
  readonly ordered: boolean;
  /** The number that it has, where it is ordered and has one. */
  readonly number: number | undefined;
  readonly runs: readonly Run[];
}

export interface Table {
  readonly kind: "table";
  /** Rows of cells, all of one length. */
  readonly rows: readonly (readonly (readonly Run[])[])[];
  /** Whether the first row names the columns. */
  readonly header: boolean;
  /** Points from the left of the page at which the columns begin. */
  readonly starts: readonly number[];
}

export interface Picture {
  readonly kind: "picture";
  /** Which of the page's pictures it is. */
  readonly index: number;
  /** Points. */
  readonly width: number;
  readonly height: number;
}

/** The blocks of one page. */
export interface PageBlocks {
  readonly number: number;
  readonly blocks: readonly Block[];
}

/** A block, and the lines that it was made of. */
export interface PlacedBlock {
  readonly block: Block;
  readonly lines: readonly Line[];
  /** Whether it is the first of its region: of a column, or of what stands above or below columns. */
  readonly first: boolean;
}
