import { linesIn } from "./blocks.ts";
import type { Reader, Writer } from "./codec.ts";
import { linesOf, textOf } from "./cue.ts";
import { clockMs, openEnd } from "./times.ts";

/** Lyrics: `[01:02.34]text`. A line ends where the next begins; a line without text only ends the previous one. */
export const readLrc: Reader = (text, { notes }) => {
  const tags = new Map<string, string>();
  const lines: Line[] = [];
  for (const line of linesIn(text).filter((found) => found.trim() !== "")) {
    const [, stamps = "", words = ""] = /^\s*((?:\[\d+:\d{1,2}(?:[.:]\d{1,3})?\]\s*)+)(.*)$/.exec(line) ?? [];
    const [, name = "", value = ""] = /^\s*\[([a-z#]+):(.*)\]\s*$/i.exec(line) ?? [];
    if (name !== "") {
      tags.set(name.toLowerCase(), value.trim());
    }
    notes.add("lines_skipped", stamps === "" && name === "" ? 1 : 0);
    notes.add("word_times_dropped", words.match(WORD_STAMP)?.length ?? 0);
    for (const start of stampsOf(stamps)) {
      lines.push({ start, text: words.replace(WORD_STAMP, "").trim() });
    }
  }
  // A line with several timestamps is repeated, so sort by time.
  lines.sort((one, other) => one.start - other.start);
  const offset = Number(tags.get("offset") ?? 0) || 0;
  const title = [tags.get("ar"), tags.get("ti")].filter(Boolean).join(" – ");
  const cues = lines.flatMap(({ start, text: words }, index) => {
    const next = lines.slice(index + 1, index + 1 + LOOK_AHEAD).find((line) => line.start > start)?.start;
    const early = Math.max(0, start - offset);
    return words === "" ? [] : [{ start: early, end: openEnd(early, next && next - offset), runs: [{ text: words }] }];
  });
  notes.add("ends_assumed", cues.length);
  return { ...(title === "" ? {} : { title }), cues };
};

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Maximum lines with equal times to skip when searching for the next time. */
const LOOK_AHEAD = 20;
const WORD_STAMP = /<\d+:\d{1,2}(?:[.:]\d{1,3})?>\s?/g;

const stampsOf = (text: string): number[] =>
  [...text.matchAll(/\[([\d:.]+)\]/g)].flatMap(([, stamp = ""]) => clockMs(stamp.replace(/^(\d+:\d+):/, "$1.")) ?? []);

export const writeLrc: Writer = ({ title, cues }) => {
  const head = title === undefined ? "" : `[ti:${title.replace(/[\]\s]+/g, " ")}]\n`;
  const lines = cues.map((cue, index) => {
    const next = cues[index + 1]?.start;
    const pause = next === undefined || next > cue.end ? `[${stampOf(cue.end)}]\n` : "";
    return `[${stampOf(cue.start)}]${linesOf(textOf(cue)).join(" ")}\n${pause}`;
  });
  return `${head}${lines.join("")}`;
};

/** Minutes may have more than two digits; there are no hours. */
const stampOf = (ms: number): string => {
  const hundredths = Math.round(ms / 10);
  const minutes = Math.floor(hundredths / 6_000);
  const seconds = ((hundredths % 6_000) / 100).toFixed(2).padStart(5, "0");
  return `${String(minutes).padStart(2, "0")}:${seconds}`;
};
