import type { Run } from "../layout/model.ts";
import type { Box } from "../page/geometry.ts";
import type { LinkArea } from "../page/links.ts";
import type { PictureArea } from "../page/picture-areas.ts";

/** What stands on a page, with positions: the layout's input, from PDFium or from text recognition. */
export interface PageContent {
  /** From 1. */
  readonly number: number;
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** Upright words in the order of the content stream. */
  readonly words: readonly Word[];
  /** Words that do not read horizontally. */
  readonly turned: readonly TurnedWord[];
  /** Straight lines: strokes, and filled areas at most 3 points thin. */
  readonly rules: readonly Rule[];
  /** Filled rectangles that are not rules and do not cover the page. */
  readonly fills: readonly Fill[];
  /** Areas of drawings that are neither rules nor fills: curves, diagrams, logos. */
  readonly drawings: readonly Box[];
  readonly pictures: readonly PictureArea[];
  /** The boxes of form fields for text. */
  readonly fields?: readonly FieldBox[] | undefined;
  readonly links: readonly LinkArea[];
  /** Whether most letters belong to a script that reads from right to left. */
  readonly rtl: boolean;
  /** Whether the words were recognized in a picture of the page. */
  readonly scanned: boolean;
  /** Number of glyphs left out because the file does not say which characters they are. */
  readonly unreadable?: number | undefined;
}

/** Letters without a space between them, in logical order. */
export interface Word extends Box {
  readonly text: string;
  /** One run, or several if the style changes within the word. */
  readonly runs: readonly Run[];
  readonly baseline: number;
  /** Size of its largest letters, in points. */
  readonly size: number;
  readonly rtl: boolean;
  /** Whether a space follows; Chinese, Japanese and Thai words follow each other without one. */
  readonly spaced: boolean;
  /** Role in the document's structure tree, if it has one. */
  readonly tag?: Tag | undefined;
}

export interface TurnedWord extends Word {
  readonly quarters: 1 | 2 | 3;
}

/** The nearest structure element with a meaning. */
export interface Tag {
  readonly role:
    | "heading"
    | "paragraph"
    | "list-mark"
    | "list-item"
    | "cell"
    | "header-cell"
    | "artifact"
    | "caption"
    | "note";
  /** Heading level from 1. */
  readonly level?: number | undefined;
  /** Number of the element in the order of the structure tree; equal for words of one element. */
  readonly element: number;
}

export interface Rule {
  /** Whether it is horizontal; otherwise vertical. */
  readonly across: boolean;
  /** Points from the top of the page if horizontal, else from the left. */
  readonly at: number;
  /** Start and end in the other direction. */
  readonly from: number;
  readonly to: number;
  /** Line width in points. */
  readonly width: number;
  /** `rrggbb`. */
  readonly color: string;
}

/** The box of a form field for text. */
export interface FieldBox extends Box {
  readonly border?: Pick<Rule, "width" | "color"> | undefined;
  /** Background, `rrggbb`. */
  readonly fill?: string | undefined;
}

export interface Fill extends Box {
  /** `rrggbb`. */
  readonly color: string;
}
