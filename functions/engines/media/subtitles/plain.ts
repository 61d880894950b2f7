import type { Writer } from "./codec.ts";
import { type Cue, linesOf, textOf } from "./cue.ts";
import { clockOf } from "./times.ts";

/** Output for people and tables: a transcript, rows. */

const CLOCK = { point: ".", fractionDigits: 3, hourDigits: 2 } as const;

/** The text only, with speaker names if known. */
export const writeTranscript: Writer = ({ cues }) =>
  `${cues.map((cue) => `${cue.speaker === undefined ? "" : `${cue.speaker}: `}${linesOf(textOf(cue)).join("\n")}`).join("\n")}\n`;

const rowOf = (cue: Cue) => ({
  start: clockOf(cue.start, CLOCK),
  end: clockOf(cue.end, CLOCK),
  text: textOf(cue),
  ...(cue.speaker === undefined ? {} : { speaker: cue.speaker }),
});

export const writeCueJson: Writer = ({ cues }) => `${JSON.stringify(cues.map(rowOf), undefined, 2)}\n`;

export const writeCueCsv: Writer = ({ cues }) => {
  const spoken = cues.some(({ speaker }) => speaker !== undefined);
  const head = ["start", "end", ...(spoken ? ["speaker"] : []), "text"];
  const rows = cues
    .map(rowOf)
    .map(({ start, end, text, speaker = "" }) => [start, end, ...(spoken ? [speaker] : []), text]);
  return [head, ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
};

const quoted = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
