import type { Line } from "./lines.ts";
import type { Run } from "./pieces.ts";

/** The content of a page in reading order: the model between PDFium and the writers. */
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
  /** Number of the item in an ordered list, if it has one. */
  readonly number: number | undefined;
  readonly runs: readonly Run[];
}

export interface Table {
  readonly kind: "table";
  /** Rows of cells, all of equal length. */
  readonly rows: readonly (readonly (readonly Run[])[])[];
  /** Whether the first row is a header. */
  readonly header: boolean;
  /** Left edges of the columns, in points from the left of the page. */
  readonly starts: readonly number[];
}

export interface Picture {
  readonly kind: "picture";
  /** Index among the page's pictures. */
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

/** A block and the lines that it consists of. */
export interface PlacedBlock {
  readonly block: Block;
  readonly lines: readonly Line[];
  /** Whether this is the first block of its region: a column, or the area above or below columns. */
  readonly first: boolean;
}
