import type { IParagraphOptions } from "docx";
import { DOCX_PIECES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { attributeOf, elementsBelow, type HtmlElement } from "../io/html-tree.ts";

/** How words look. */
export interface Format {
  readonly bold?: boolean;
  readonly italics?: boolean;
  readonly strike?: boolean;
  readonly underline?: object;
  readonly subScript?: boolean;
  readonly superScript?: boolean;
  readonly highlight?: "yellow";
  readonly color?: string;
  /** A character style. */
  readonly style?: string;
  /** Where the words lead: an address, or `#` and a bookmark. */
  readonly link?: string;
}

/** A list that is open: what numbers it, and which of the lists it is. */
export interface List {
  readonly reference: string;
  readonly instance: number;
}

/** What holds for the place in the document that is being written. */
export interface Context {
  readonly format: Format;
  readonly paragraph: Pick<IParagraphOptions, "heading" | "style" | "alignment" | "keepNext">;
  readonly lists: readonly List[];
  /** The item of a list; its first paragraph has the mark. */
  readonly item: { marked: boolean } | undefined;
  /** Levels by which paragraphs are set in beside lists. */
  readonly indent: number;
  readonly preformatted: boolean;
  readonly rightToLeft: boolean;
}

/** What is counted over the whole document. */
export interface State {
  /** Bookmarks by the `id` that links lead to. */
  readonly bookmarks: ReadonlyMap<string, string>;
  /** Bookmarks that are set. */
  readonly set: Set<string>;
  /** Kinds of numbered lists, by their reference. */
  readonly starts: Map<string, { readonly type: string; readonly start: number }>;
  listCount: number;
  /** Paragraphs, cells and pieces of text that have been written. */
  pieces: number;
  picturesDropped: number;
}

/** Lists that begin in ways of their own; the others begin at one. */
const STARTS_MAX = 500;

/** @returns the state at the beginning of a document */
export const stateOf = (body: HtmlElement): State => {
  const targets = elementsBelow(body, "a").flatMap((link) => {
    const href = attributeOf(link, "href") ?? "";
    return href.startsWith("#") && href.length > 1 ? [fragmentOf(href)] : [];
  });
  const bookmarks = new Map([...new Set(targets)].map((id, index) => [id, `place_${index + 1}`]));
  return { bookmarks, set: new Set(), starts: new Map(), listCount: 0, pieces: 0, picturesDropped: 0 };
};

/** @throws JobError `output_too_large` when there are more than {@link DOCX_PIECES_MAX} pieces with these */
export const spend = (state: State, pieces: number): void => {
  state.pieces += pieces;
  if (state.pieces > DOCX_PIECES_MAX) {
    throw new JobError(
      "output_too_large",
      `The Word document would have over ${DOCX_PIECES_MAX} paragraphs, cells and pieces of text.`,
    );
  }
};

/** @returns the `id` that a link within the document leads to */
export const fragmentOf = (href: string): string => {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
};

/** @returns the list that a `ul` or `ol` opens */
export const openList = (element: HtmlElement, state: State): List => {
  state.listCount += 1;
  if (element.tagName !== "ol") {
    return { reference: "bullets", instance: 0 };
  }
  const [type, start] = [
    attributeOf(element, "type") ?? "1",
    Number.parseInt(attributeOf(element, "start") ?? "1", 10),
  ];
  const kind = { type: /^[1aAiI]$/.test(type) ? type : "1", start: start >= 0 && start < 32_768 ? start : 1 };
  const reference = `numbers-${kind.type}-${kind.start}`;
  const known = state.starts.has(reference) || state.starts.size < STARTS_MAX;
  const used = known ? { reference, kind } : { reference: "numbers-1-1", kind: { type: "1", start: 1 } };
  state.starts.set(used.reference, used.kind);
  return { reference: used.reference, instance: state.listCount };
};
