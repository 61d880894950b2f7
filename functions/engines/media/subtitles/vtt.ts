import { JobError } from "../../../domain/errors.ts";
import { linesIn, timesIn } from "./blocks.ts";
import type { Reader, Writer } from "./codec.ts";
import { colorName } from "./colors.ts";
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
    throw new JobError("source_corrupt", "Not a WebVTT file: missing the WEBVTT header.");
  }
  // Some files have times directly below the header, without an empty line between.
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

/** Counts a block that is not a cue by its kind. */
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

/** Settings equal to the ones that we write. */
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

/** @returns 0 for bottom, 1 for middle, 2 for top; lines count from the top, negative ones from the bottom */
const rowOf = (line: number, percent: boolean): number => {
  if (!percent) {
    return line < 0 || line > 7 ? 0 : 2;
  }
  return line < 34 ? 2 : line < 67 ? 1 : 0;
};

const CLOCK = { point: ".", fractionDigits: 3, hourDigits: 2 } as const;

/** Colors with predefined WebVTT classes; a style sheet defines the others. */
const CLASSES = ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"];

export const writeVtt: Writer = ({ title, cues }) => {
  const head = title === undefined ? "WEBVTT" : `WEBVTT - ${title.replace(/\s+/g, " ").replaceAll("-->", "->")}`;
  const colors = cues.flatMap(({ runs }) => runs.flatMap(({ color }) => color ?? []));
  const own = [...new Set(colors)].filter((color) => colorName(color, CLASSES) === undefined);
  const rules = own.map((color) => `::cue(${className(color)}) { color: ${color}; }`);
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

const className = (color: string): string => `.color${color.slice(1)}`;

const runText = (run: Run): string =>
  markedUp(run, {
    escape: escaped,
    color: (color) => {
      const name = colorName(color, CLASSES);
      return [`<c${name === undefined ? className(color) : `.${name}`}>`, "</c>"];
    },
  });
