import { JobError } from "../../domain/errors.ts";
import { linesIn, timesIn } from "./blocks.ts";
import type { Reader, Writer } from "./codec.ts";
import { colourName } from "./colours.ts";
import { type Cue, linesOf, type Run } from "./cue.ts";
import { markedUp, readMarkup } from "./markup.ts";
import type { Notes } from "./notes.ts";
import { clockOf } from "./times.ts";

/** WebVTT (w3.org/TR/webvtt1). */
export const readVtt: Reader = (text, { notes }) => {
  const [head = "", ...blocks] = linesIn(text)
    .join("\n")
    .split(/\n(?:[ \t]*\n)+/);
  if (!head.startsWith("WEBVTT")) {
    throw new JobError("source_corrupt", "The file is no WebVTT: it does not begin with that word.");
  }
  // Times right below the head, without an empty line between, are met too.
  const [, ...below] = head.split("\n");
  const first = below.findIndex((line) => line.includes("-->"));
  const all = first === -1 ? blocks : [below.slice(first).join("\n"), ...blocks];
  const title = /^WEBVTT[ \t]+(?:-[ \t]*)?(.+)/.exec(head)?.[1]?.trim();
  return { ...(title === undefined ? {} : { title }), cues: all.flatMap((block) => cuesOf(block, notes)) };
};

const cuesOf = (block: string, notes: Notes): Cue[] => {
  const lines = block.split("\n").filter((line, index) => index > 0 || line.trim() !== "");
  const at = lines.findIndex((line) => line.includes("-->"));
  const times = timesIn(lines[at] ?? "");
  if (times === undefined || at > 1) {
    skip(lines, notes);
    return [];
  }
  const { start, end, rest } = times;
  const place = placeOf(rest, notes);
  const marked = readMarkup(lines.slice(at + 1).join("\n"), { notes, entities: true, overrides: false });
  return [{ start, end, ...(place === 2 ? {} : { place }), ...marked }];
};

/** Counts a block that is no cue as what it is. */
const skip = (lines: readonly string[], notes: Notes): void => {
  const [first = ""] = lines;
  if (/^NOTE(?:\s|$)/.test(first)) {
    notes.add("comments_dropped");
  } else if (/^STYLE\s*$/.test(first)) {
    notes.add("styles_dropped");
  } else if (/^REGION\s*$/.test(first)) {
    notes.add("positions_dropped");
  } else {
    notes.add("lines_skipped", lines.filter((line) => line.trim() !== "").length);
  }
};

/** Settings that say no more than what we write ourselves. */
const SIDES: Readonly<Record<string, readonly [column: number | undefined, row?: number]>> = {
  "align:start": [0],
  "align:left": [0],
  "align:center": [1],
  "align:middle": [1],
  "align:end": [2],
  "align:right": [2],
  "line:0": [undefined, 2],
  "line:0%": [undefined, 2],
  "line:50%": [undefined, 1],
  "line:-1": [undefined, 0],
  "line:100%": [undefined, 0],
};

const placeOf = (settings: string, notes: Notes): number => {
  let [column, row] = [1, 0];
  for (const setting of settings.split(/\s+/).filter(Boolean)) {
    const side = Object.hasOwn(SIDES, setting) ? SIDES[setting] : undefined;
    const line = /^line:(-?[\d.]+)(%?)/.exec(setting);
    if (side === undefined) {
      notes.add("positions_dropped");
      row = line === null ? row : rowOf(Number(line[1]), line[2] === "%");
    }
    column = side?.[0] ?? column;
    row = side?.[1] ?? row;
  }
  return 3 * row + column + 1;
};

/** @returns 0 below, 1 in the middle, 2 above; lines are counted from above, negative ones from below */
const rowOf = (line: number, percent: boolean): number => {
  if (!percent) {
    return line < 0 || line > 7 ? 0 : 2;
  }
  return line < 34 ? 2 : line < 67 ? 1 : 0;
};

const CLOCK = { point: ".", fractionDigits: 3, hourDigits: 2 } as const;

/** The colours that WebVTT has classes for; a style sheet gives the others theirs. */
const CLASSES = ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"];

export const writeVtt: Writer = ({ title, cues }) => {
  const head = title === undefined ? "WEBVTT" : `WEBVTT - ${title.replace(/\s+/g, " ").replaceAll("-->", "->")}`;
  const colours = cues.flatMap(({ runs }) => runs.flatMap(({ colour }) => colour ?? []));
  const own = [...new Set(colours)].filter((colour) => colourName(colour, CLASSES) === undefined);
  const rules = own.map((colour) => `::cue(${className(colour)}) { color: ${colour}; }`);
  const style = own.length === 0 ? [] : [`STYLE\n${rules.join("\n")}\n`];
  return [`${head}\n`, ...style, ...cues.map(cueText)].join("\n");
};

const cueText = ({ start, end, runs, place = 2, speaker }: Cue): string => {
  const text = linesOf(runs.map(runText).join("")).join("\n");
  const voice = speaker === undefined ? "" : `<v ${escaped(speaker.replace(/[\n>]/g, " "))}>`;
  return `${clockOf(start, CLOCK)} --> ${clockOf(end, CLOCK)}${settingsOf(place)}\n${voice}${text}\n`;
};

const settingsOf = (place: number): string => {
  const [column, row] = [(place - 1) % 3, Math.floor((place - 1) / 3)];
  return ["", " line:50%", " line:0"][row] + ([" align:start", "", " align:end"][column] ?? "");
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const className = (colour: string): string => `.colour${colour.slice(1)}`;

const runText = (run: Run): string =>
  markedUp(run, {
    escape: escaped,
    colour: (colour) => {
      const name = colourName(colour, CLASSES);
      return [`<c${name === undefined ? className(colour) : `.${name}`}>`, "</c>"];
    },
  });
