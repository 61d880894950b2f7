import { JobError } from "../../../domain/errors.ts";
import type { Notes } from "./notes.ts";
import type { Budget, Tree } from "./tree.ts";

/** Reads and writes one format of structured data. */
export interface Codec {
  /** @throws JobError `source_corrupt` and the like */
  readonly read: (source: Source) => Tree | Promise<Tree>;
  readonly write: (tree: Tree, target: Target) => Uint8Array | Uint8Array[];
}

/** The input of a codec. */
export interface Source {
  /** @returns the bytes of the file */
  bytes(): Promise<Buffer>;
  /** @returns the file as text in any encoding, without its byte order mark */
  text(): Promise<string>;
  readonly notes: Notes;
  readonly budget: Budget;
}

/** The output settings of a codec. */
export interface Target {
  /** Indentation of each level in spaces; 0: everything on one line. */
  readonly indent: number;
  readonly notes: Notes;
}

/** @returns the error for a file that is invalid in its format */
export const corrupt = (what: string, options?: ErrorOptions): JobError =>
  new JobError("source_corrupt", what, options);

/** @returns a human-readable position in a text */
export const placeIn = (text: string, offset: number): string => {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `line ${line}, column ${offset - before.lastIndexOf("\n")}`;
};
