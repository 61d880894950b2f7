import type { LeftOut } from "../html/left-out.ts";

/** The document's URL in the browser; `.invalid` is never a registered domain (RFC 2606). */
export const DOCUMENT_URL = "https://document.invalid/";

/** A file of the document, as it is served to the browser. */
export interface ServedFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A document that is ready for the browser, which still treats it as untrusted. */
export interface ReadyDocument extends PrintedPart {
  /** @returns the parts of a book that is too large to print at once; otherwise only the document */
  readonly groups: () => readonly PrintedPart[];
}

/** A document, or some chapters of it, that the browser lays out at once. */
export interface PrintedPart {
  /** @returns the document as text, with these style sheets before and after the document's */
  readonly html: (before: string, after: string) => string;
  /** Its pictures by URL. As files, they take a third less memory than as `data:` URIs in the text. */
  readonly files: ReadonlyMap<string, ServedFile>;
  /** Whether it has styling. */
  readonly styled: boolean;
  /** Whether it has page rules. */
  readonly pages: boolean;
  /** Whether its tables have words that are too long for a column. */
  readonly longWords: boolean;
  readonly elements: number;
  /** The cells of all tables. */
  readonly cells: number;
  /** The columns of the widest table. */
  readonly columns: number;
  readonly leftOut: LeftOut;
}
