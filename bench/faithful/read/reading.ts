import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import type { Traits } from "./traits.ts";

/** What an independent program finds in a file. */
export interface Reading {
  /** Words, cells, values, cues, entries or features: each of the source is expected in the result, in any order. */
  readonly tokens: readonly string[];
  /** Pages as a PDF. */
  readonly pdf?: string;
  /** Pages or frames as pictures. */
  readonly pictures?: readonly string[];
  readonly sound?: Sound;
  /** Features that the file has or has not. A feature that the program does not report is absent. */
  readonly traits?: Traits;
}

export interface Sound {
  readonly seconds: number;
  /** Mean volume in dB of full scale. */
  readonly loudness: number;
}

/** A file, or the unpacked files of a result with several parts. */
export interface Subject {
  readonly paths: readonly string[];
  readonly format: FormatId;
  /** An existing folder for the reader. */
  readonly folder: string;
}

/** @throws if the file cannot be read */
export type Reader = (subject: Subject) => Promise<Reading>;
