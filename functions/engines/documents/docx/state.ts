import type { IParagraphOptions } from "docx";
import { DOCX_PIECES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { attributeOf, elementsBelow, type HtmlElement } from "../html/tree.ts";

/** Text formatting. */
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
  /** The link target: a URL, or `#` and a bookmark. */
  readonly link?: string;
}

/** An open list: its numbering, and its instance. */
export interface List {
  readonly reference: string;
  readonly instance: number;
}

/** The context of the current position in the document. */
export interface Context {
  readonly format: Format;
  readonly paragraph: Pick<IParagraphOptions, "heading" | "style" | "alignment" | "keepNext">;
  readonly lists: readonly List[];
  /** The list item; its first paragraph has the marker. */
  readonly item: { marked: boolean } | undefined;
  /** Indentation levels of paragraphs, in addition to lists. */
  readonly indent: number;
  readonly preformatted: boolean;
  readonly rightToLeft: boolean;
}

/** Counters for the entire document. */
export interface State {
  /** Bookmarks by the `id` of the link target. */
  readonly bookmarks: ReadonlyMap<string, string>;
  /** Bookmarks that have been written. */
  readonly set: Set<string>;
  /** Numbering definitions, by reference. */
  readonly starts: Map<string, { readonly type: string; readonly start: number }>;
  listCount: number;
  /** The paragraphs, cells and text runs written so far. */
  pieces: number;
  picturesDropped: number;
}

/** Maximum number of lists with a custom start; further lists start at one. */
const STARTS_MAX = 500;

/** @returns the initial state of a document */
export const stateOf = (body: HtmlElement): State => {
  const targets = elementsBelow(body, "a").flatMap((link) => {
    const href = attributeOf(link, "href") ?? "";
    return href.startsWith("#") && href.length > 1 ? [fragmentOf(href)] : [];
  });
  const bookmarks = new Map([...new Set(targets)].map((id, index) => [id, `place_${index + 1}`]));
  return { bookmarks, set: new Set(), starts: new Map(), listCount: 0, pieces: 0, picturesDropped: 0 };
};

/** @throws JobError `output_too_large` when these pieces exceed the limit of {@link DOCX_PIECES_MAX} */
export const spend = (state: State, pieces: number): void => {
  state.pieces += pieces;
  if (state.pieces > DOCX_PIECES_MAX) {
    throw new JobError(
      "output_too_large",
      `The Word document would have more than ${DOCX_PIECES_MAX} paragraphs, cells and text runs, which is the limit.`,
    );
  }
};

/** @returns the `id` of an internal link's target */
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
