import type { FieldBox } from "../content/content.ts";
import type { Box } from "../page/geometry.ts";

/**
 * The layout of a document: the model between PDFium (or text recognition) and every writer. Lengths are points; a box
 * is in points from the upper left corner of the page as displayed.
 */
export interface DocumentLayout<Pages = Iterable<PageLayout> & { readonly length: number }> {
  /** Those of a long document are read from a file each time; a page's number identifies it. */
  readonly pages: Pages;
  /** Size of most letters, in points. */
  readonly bodySize: number;
  /** Pages that could not be read, from 1. */
  readonly missing: readonly number[];
  /** Whether no page has any text. */
  readonly empty: boolean;
  /** The document's title and language, if the file declares them. */
  readonly title?: string | undefined;
  readonly language?: string | undefined;
}

/** A layout with all pages in memory. */
export type CompleteLayout = DocumentLayout<readonly PageLayout[]>;

export interface PageLayout {
  /** From 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** The page's body from the top: an area with one column, or several columns side by side. */
  readonly sections: readonly Section[];
  /** Lines repeated at the top and bottom of pages; a page number is a run with `field`. */
  readonly header: readonly Block[];
  readonly footer: readonly Block[];
  /** Notes at the bottom of the page, referred to by {@link Run.note}. */
  readonly notes: readonly Note[];
  /** Pictures and boxes outside of the flow of text, under it or over it. */
  readonly floats: readonly Figure[];
  /** The boxes of form fields for text, under the text. */
  readonly fields?: readonly FieldBox[] | undefined;
  /** Lines and filled areas that belong to no block, under the text. */
  readonly separators?: readonly Separator[] | undefined;
  /** Text that does not read horizontally on the page as displayed. */
  readonly turned: readonly TurnedText[];
  /** Whether most of it reads from right to left. */
  readonly rtl: boolean;
  /** Whether the text was recognized in a picture of the page. */
  readonly scanned: boolean;
  /** Counterclockwise quarter turns of a page whose text is mostly sideways. All lengths are those of the turned page. */
  readonly rotation?: 1 | 2 | 3 | undefined;
}

export interface Section extends Box {
  /** In reading order. */
  readonly columns: readonly Column[];
}

export interface Column extends Box {
  readonly blocks: readonly Block[];
}

export type Block = Paragraph | Table | Figure;

export interface Paragraph extends Box {
  readonly kind: "paragraph";
  readonly runs: readonly Run[];
  /** Lines as printed, for writers that keep their positions. */
  readonly lines: readonly TextLine[];
  readonly align: "start" | "center" | "end" | "justify";
  /** Distances of the left and right edge from the column's (or cell's) edges. */
  readonly indentLeft: number;
  readonly indentRight: number;
  /** Additional distance of the first line from the start edge; negative for a hanging indent. */
  readonly firstLine: number;
  /** White space between the block above, or the column's top, and this block. */
  readonly spaceBefore: number;
  /** Distance of consecutive baselines; 0 for a single line. */
  readonly lineHeight: number;
  readonly rtl: boolean;
  /** 1 is the largest. */
  readonly heading?: number | undefined;
  readonly list?: ListMark | undefined;
  /** Background color of the paragraph's box, `rrggbb`. */
  readonly fill?: string | undefined;
  /** Border of the paragraph's box. */
  readonly borders?: Borders | undefined;
  /** Lines and filled areas between the block above and its end. */
  readonly separators?: readonly Separator[] | undefined;
  /** Whether it continues in the next paragraph: in the next column or on the next page. */
  readonly open: boolean;
}

export interface ListMark {
  /** 0 for the outermost list. */
  readonly depth: number;
  readonly ordered: boolean;
  /** Number of the item in an ordered list. */
  readonly number?: number | undefined;
  /** The mark as printed, such as `•` or `(a)`. It is not part of the runs. */
  readonly mark: string;
}

/** Text in one style. */
export interface Run {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly size: number;
  /** Font family as named in the PDF, without the subset tag and style. */
  readonly font: string;
  readonly serif: boolean;
  /** `rrggbb`. */
  readonly color: string;
  readonly underline?: boolean | undefined;
  readonly strike?: boolean | undefined;
  /** Background color, `rrggbb`. */
  readonly highlight?: string | undefined;
  /** Whether it is a superscript or subscript; `size` is that of the line. */
  readonly shift?: "above" | "below" | undefined;
  /** Link target: a web or mail address. */
  readonly link?: string | undefined;
  /** Index of the note in {@link PageLayout.notes} that this mark refers to. */
  readonly note?: number | undefined;
  readonly field?: "page" | "pages" | undefined;
}

/** A line as printed, with the mark of a list item. */
export interface TextLine extends Box {
  readonly baseline: number;
  /** Left edges of the text after each tab of the line; right edges of text that reads from the right. */
  readonly tabs?: readonly number[] | undefined;
  readonly runs: readonly Run[];
}

export interface Note {
  /** The mark as printed. */
  readonly mark: string;
  readonly blocks: readonly Paragraph[];
}

export interface Table extends Box {
  readonly kind: "table";
  /** Edges of the columns and rows: one more than there are columns or rows. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Row by row; each place of the grid belongs to exactly one cell. */
  readonly cells: readonly Cell[];
  /** Number of rows at the top that are headers. */
  readonly headerRows: number;
  /** Whether rules or backgrounds, or only the alignment of text, define the cells. */
  readonly found: "rules" | "alignment";
  readonly rtl: boolean;
  readonly spaceBefore: number;
  /** Whether it continues as the first table of the next page. */
  readonly open: boolean;
  /** Whether it continues without its headers; undefined if it does not continue. */
  readonly headedOnce?: boolean | undefined;
}

export interface Cell {
  /** Row and column of the upper left corner, from 0, and extent. */
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly blocks: readonly Block[];
  readonly fill?: string | undefined;
  readonly borders: Borders;
}

export interface Borders {
  readonly top?: Stroke | undefined;
  readonly right?: Stroke | undefined;
  readonly bottom?: Stroke | undefined;
  readonly left?: Stroke | undefined;
}

export interface Stroke {
  readonly width: number;
  /** `rrggbb`. */
  readonly color: string;
}

/** A picture, or drawings and their labels kept together as one picture. */
export interface Figure extends Box {
  readonly kind: "figure";
  /** The area's index in the page's pictures, or undefined if the area is to be rendered. */
  readonly picture?: number | undefined;
  /** Labels within a drawing, line by line: its alternative text. */
  readonly text?: string | undefined;
  readonly spaceBefore: number;
}

/** A line or an area without text, such as the line for a signature. */
export interface Separator extends Box {
  /** `rrggbb`. */
  readonly color: string;
}

export interface TurnedText extends Box {
  readonly runs: readonly Run[];
  /** Clockwise quarter turns as displayed: 1 reads downward, 3 upward. */
  readonly quarters: 1 | 2 | 3;
}
