import type { Box } from "../page/geometry.ts";
import type { Table } from "./blocks.ts";

/** Text in one style. */
export interface Run {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Points. */
  readonly size: number;
  /** Font family as named in the PDF, without the subset tag. */
  readonly font: string;
  /** `rrggbb`. */
  readonly color: string;
  /** Whether it is a superscript or subscript, such as a footnote mark or an index. */
  readonly shift?: "above" | "below" | undefined;
  /** Link target: a web or mail address. */
  readonly link?: string | undefined;
}

/** Text on one line without wide gaps: a line of a paragraph, or a table cell. */
export interface Piece extends Box {
  readonly text: string;
  readonly runs: readonly Run[];
  /** Points from the top of the page to the baseline. */
  readonly baseline: number;
  /** Letter size in points; the largest if sizes differ. */
  readonly size: number;
  /** Whether it reads from right to left. */
  readonly rtl: boolean;
  /** Number of the picture that this piece represents. */
  readonly picture?: number;
  /** Table that this piece represents, detected by the lines around its cells. */
  readonly table?: Table;
}

/** @returns whether the piece represents a picture or a table */
export const isStandIn = ({ picture, table }: Piece): boolean => picture !== undefined || table !== undefined;

const RTL_LETTERS = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;

/** @returns whether most letters belong to a right-to-left script */
export const readsFromRight = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(RTL_LETTERS)?.length ?? 0) * 2 > letters;
};

/** @returns the runs with equal styles joined and empty ones removed */
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
  one.color === other.color &&
  one.link === other.link &&
  one.shift === other.shift &&
  Math.abs(one.size - other.size) < 0.2;

/** @returns the text of the runs */
export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");

/** @returns the runs without leading and trailing spaces */
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
