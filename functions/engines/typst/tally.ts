import { TYPESET_CELLS_MAX, TYPESET_CHARACTERS_MAX, TYPESET_LINES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";

/** How much is to be set on pages, counted on the way. */
export interface Tally {
  lines: number;
  cells: number;
  characters: number;
  /** Pictures that could not be read. */
  lostPictures: number;
}

export const newTally = (): Tally => ({ lines: 0, cells: 0, characters: 0, lostPictures: 0 });

const LIMITS = [
  ["lines", "lines and paragraphs", TYPESET_LINES_MAX],
  ["cells", "cells in tables", TYPESET_CELLS_MAX],
  ["characters", "characters", TYPESET_CHARACTERS_MAX],
] as const;

/** @throws JobError `too_many_pages` when it is too much: Typst would end in want of memory, and say nothing */
export const checkTally = (tally: Partial<Tally>): void => {
  for (const [name, what, max] of LIMITS) {
    const count = tally[name] ?? 0;
    if (count > max) {
      throw new JobError(
        "too_many_pages",
        `The document has over ${max} ${what}, which is the most that is set on pages.`,
      );
    }
  }
};
