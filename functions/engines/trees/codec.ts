import { JobError } from "../../domain/errors.ts";
import type { Notes } from "./notes.ts";
import type { Budget, Tree } from "./tree.ts";

/** One format of trees: how it is read, how it is written. */
export interface Codec {
  /** @throws JobError `source_corrupt` and the like */
  readonly read: (source: Source) => Tree | Promise<Tree>;
  readonly write: (tree: Tree, target: Target) => Uint8Array | Uint8Array[];
}

/** What is read. */
export interface Source {
  /** @returns the whole file */
  bytes(): Promise<Buffer>;
  /** @returns the whole file as text, whatever its encoding, without byte order mark */
  text(): Promise<string>;
  readonly notes: Notes;
  readonly budget: Budget;
}

/** How it is written. */
export interface Target {
  /** Spaces by which each level is set in; 0: all in one line. */
  readonly indent: number;
  readonly notes: Notes;
}

/** @returns the error of a file that is not what its format wants it to be */
export const corrupt = (what: string, options?: ErrorOptions): JobError =>
  new JobError("source_corrupt", what, options);

/** @returns where a place in a text is, for people */
export const placeIn = (text: string, offset: number): string => {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `line ${line}, column ${offset - before.lastIndexOf("\n")}`;
};
