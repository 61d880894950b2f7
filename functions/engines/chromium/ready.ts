import type { Warning } from "../../domain/jobs.ts";
import { leftOut } from "../io/html-clean.ts";

/** The address that the document has for the browser; no name ends in `.invalid` (RFC 2606). */
export const ADDRESS = "https://document.invalid/";

/** What is left out, by the code of its warning. */
export type LeftOut = Parameters<typeof leftOut>[0];

/** A file that belongs to the document, as the browser gets it when it asks. */
export interface ServedFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A document that is ready for the browser, which still holds it for a stranger's. */
export interface ReadyDocument {
  /** @returns the document as text, with these style sheets before and behind its own */
  readonly html: (before: string, behind: string) => string;
  /** Its pictures, by their addresses: as files they take a third less memory than as `data:` in its text. */
  readonly files: ReadonlyMap<string, ServedFile>;
  /** Whether it says how it is to look. */
  readonly looks: boolean;
  /** Whether it describes pages. */
  readonly pages: boolean;
  /** Whether its tables have words that are too long for a column. */
  readonly longWords: boolean;
  readonly elements: number;
  /** Cells of all its tables. */
  readonly cells: number;
  /** The columns of its widest table. */
  readonly columns: number;
  readonly counts: Map<LeftOut, number>;
}

/** @returns the warnings of what was left out */
export const warningsOf = (counts: ReadonlyMap<LeftOut, number>): Warning[] =>
  [...counts].map(([code, number]) => leftOut(code, number));

export const count = (counts: Map<LeftOut, number>, code: LeftOut): void => {
  counts.set(code, (counts.get(code) ?? 0) + 1);
};
