import { clockMs } from "./times.ts";

/** Common parts of SubRip and WebVTT: a line with times, and the text below it. */

export interface Block {
  readonly start: number;
  readonly end: number;
  /** The rest of the line after the times: coordinates, settings. */
  readonly rest: string;
  readonly lines: readonly string[];
}

const ARROW = /^\s*([\d:.,]+)\s*--?>\s*([\d:.,]+)(.*)$/;

/** @returns the times of a line, or undefined */
export const timesIn = (line: string) => {
  const [, from = "", until = "", rest = ""] = ARROW.exec(line) ?? [];
  const [start, end] = [clockMs(from), clockMs(until)];
  return start === undefined || end === undefined ? undefined : { start, end, rest: rest.trim() };
};

/** @returns the lines of a text with any line endings */
export const linesIn = (text: string): string[] => {
  let end = text.length;
  // Old programs end a text with Ctrl-Z or zeros.
  while (end > 0 && (text[end - 1] === "\u0000" || text[end - 1] === "\u001a")) {
    end -= 1;
  }
  return text.slice(0, end).split(/\r\n|[\r\n]/);
};

/** @returns the lines without empty ones at either end */
export const trimmed = (lines: readonly string[]): readonly string[] => {
  const full = lines.map((line) => line.trim() !== "");
  return full.includes(true) ? lines.slice(full.indexOf(true), full.lastIndexOf(true) + 1) : [];
};
