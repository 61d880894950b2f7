import { type Block, linesIn, timesIn, trimmed } from "./blocks.ts";
import type { Reader, Writer } from "./codec.ts";
import { linesOf } from "./cue.ts";
import { markedUp, readMarkup } from "./markup.ts";
import { clockOf } from "./times.ts";

/**
 * SubRip as found in practice: numbers may be missing or wrong, texts may contain empty lines, hours may be missing, a
 * period may replace the comma, and coordinates may follow the times.
 */
export const readSrt: Reader = (text, { notes }) => {
  const lines = linesIn(text);
  // A line with an arrow is meant as a line of times; if they are invalid, its text belongs to no cue.
  const heads = lines.flatMap((line, index) => (line.includes("-->") || timesIn(line) ? [index] : []));
  const before = trimmed(lines.slice(0, heads[0])).filter((line) => !/^\s*(?:\d+\s*)?$/.test(line));
  notes.add("lines_skipped", before.length);
  const blocks = heads.flatMap((head, position): Block[] => {
    const next = heads[position + 1];
    const body = textBefore(lines.slice(head + 1, next), next !== undefined);
    const times = timesIn(lines[head] ?? "");
    if (times === undefined) {
      notes.add("lines_skipped", 1 + body.length);
    }
    return times === undefined ? [] : [{ ...times, lines: body }];
  });
  return {
    cues: blocks.map(({ start, end, rest, lines: body }) => {
      if (rest !== "") {
        notes.add("positions_dropped");
      }
      return { start, end, ...readMarkup(body.join("\n"), { notes, entities: false, overrides: true }) };
    }),
  };
};

/**
 * @returns the text of a cue without the number of the next one: a number directly above the next times or below an
 * empty line, but not directly below the cue's own times, where it is text
 */
const textBefore = (lines: readonly string[], hasNext: boolean): readonly string[] => {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const apart = last === lines.length - 1 || lines[last - 1]?.trim() === "";
  const numbered = hasNext && last > 0 && apart && /^\s*\d+\s*$/.test(lines[last] ?? "");
  return trimmed(numbered ? lines.slice(0, last) : lines);
};

const CLOCK = { point: ",", fractionDigits: 3, hourDigits: 2 } as const;

export const writeSrt: Writer = ({ cues }) =>
  cues
    .map(({ start, end, runs, place = 2 }, index) => {
      const text = runs.map((run) => markedUp(run, TAGS)).join("");
      const where = place === 2 ? "" : `{\\an${place}}`;
      return `${index + 1}\n${clockOf(start, CLOCK)} --> ${clockOf(end, CLOCK)}\n${where}${linesOf(text).join("\n")}\n`;
    })
    .join("\n");

const TAGS = {
  escape: (text: string) => text,
  color: (color: string) => [`<font color="${color}">`, "</font>"] as const,
};
