import type { Table } from "./blocks.ts";
import type { Box } from "./geometry.ts";

/** Text that looks alike. */
export interface Run {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Points. */
  readonly size: number;
  /** The family of the font as the PDF names it, without the tag of a subset. */
  readonly font: string;
  /** `rrggbb`. */
  readonly colour: string;
  /** Whether it is raised or lowered, as marks of footnotes and indices are. */
  readonly shift?: "above" | "below" | undefined;
  /** Where a click on it leads: an address of the web or of mail. */
  readonly link?: string | undefined;
}

/** Text that stands together on one line, with no wide gap in it: a line of a paragraph, a cell of a table. */
export interface Piece extends Box {
  readonly text: string;
  readonly runs: readonly Run[];
  /** Points from the top of the page to the line that the letters stand on. */
  readonly baseline: number;
  /** Points of the letters, the largest where they differ. */
  readonly size: number;
  /** Whether it reads from right to left. */
  readonly rtl: boolean;
  /** The number of a picture in place of text. */
  readonly picture?: number;
  /** A table in place of text, where lines around its cells have shown it. */
  readonly table?: Table;
}

/** @returns whether the piece stands in for a picture or a table */
export const isStandIn = ({ picture, table }: Piece): boolean => picture !== undefined || table !== undefined;

const RTL_LETTERS = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;

/** @returns whether most letters are of a script that reads from right to left */
export const readsFromRight = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(RTL_LETTERS)?.length ?? 0) * 2 > letters;
};

/** @returns the runs with those joined that look alike; empty ones are left out */
export const joinRuns = (runs: readonly Run[]): Run[] => {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && (alike(last, run) || (run.text.trim() === "" && run.link === last.link))) {
      joined[joined.length - 1] = { ...last, text: last.text + run.text };
    } else if (run.text !== "") {
      joined.push(run);
    }
  }
  return joined;
};

const alike = (one: Run, other: Run): boolean =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.mono === other.mono &&
  one.font === other.font &&
  one.colour === other.colour &&
  one.link === other.link &&
  one.shift === other.shift &&
  Math.abs(one.size - other.size) < 0.2;

/** @returns the text of the runs */
export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");

/** @returns the runs without spaces at both ends */
export const trimRuns = (runs: readonly Run[]): Run[] => {
  const trimmed = runs.map((run) => run);
  while (trimmed[0] !== undefined && trimmed[0].text.trimStart() !== trimmed[0].text) {
    const text = trimmed[0].text.trimStart();
    text === "" ? trimmed.shift() : trimmed.splice(0, 1, { ...trimmed[0], text });
  }
  for (let last = trimmed.at(-1); last !== undefined && last.text.trimEnd() !== last.text; last = trimmed.at(-1)) {
    const text = last.text.trimEnd();
    text === "" ? trimmed.pop() : trimmed.splice(-1, 1, { ...last, text });
  }
  return trimmed;
};
