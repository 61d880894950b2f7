import { linesIn, trimmed } from "./blocks.ts";
import type { Reader, Writer } from "./codec.ts";
import { type Cue, linesOf, textOf, tidied } from "./cue.ts";
import { clockMs, clockOf } from "./times.ts";

/** YouTube captions: two times separated by a comma, and the text below. */
export const readSbv: Reader = (text, { notes }) => {
  const lines = linesIn(text);
  const heads = lines.flatMap((line, index) => (TIMES.test(line) ? [index] : []));
  notes.add("lines_skipped", trimmed(lines.slice(0, heads[0])).length);
  const cues = heads.flatMap((head, position): Cue[] => {
    const [, from = "", until = ""] = TIMES.exec(lines[head] ?? "") ?? [];
    const [start, end] = [clockMs(from), clockMs(until)];
    const body = trimmed(lines.slice(head + 1, heads[position + 1]));
    return start === undefined || end === undefined
      ? []
      : [{ start, end, runs: tidied([{ text: body.join("\n").replaceAll("[br]", "\n") }]) }];
  });
  return { cues };
};

const TIMES = /^\s*(\d+:\d{1,2}:\d{1,2}\.\d{1,3})\s*,\s*(\d+:\d{1,2}:\d{1,2}\.\d{1,3})\s*$/;

const CLOCK = { point: ".", fractionDigits: 3, hourDigits: 1 } as const;

export const writeSbv: Writer = ({ cues }) =>
  cues
    .map((cue) => `${clockOf(cue.start, CLOCK)},${clockOf(cue.end, CLOCK)}\n${linesOf(textOf(cue)).join("\n")}\n`)
    .join("\n");
