import { linesIn } from "./blocks.ts";
import type { Reader, ReaderContext } from "./codec.ts";
import { fromBgr } from "./colours.ts";
import { type Cue, type Run, type Style, tidied } from "./cue.ts";
import type { Notes } from "./notes.ts";
import { openEnd } from "./times.ts";

/** Frames a second of a film on DVD in lands of NTSC, which these files are mostly made for. */
const USUAL_FPS = 23.976;

/** MicroDVD: `{first frame}{last frame}text|second line`, with tags like `{y:i}` and `{c:$0000FF}`. */
export const readMicroDvd: Reader = (text, context) => {
  const rows = linesIn(text).flatMap((line) => rowOf(line, /^\s*\{(\d+)\}\{(\d*)\}(.*)$/, context.notes));
  const { fps, told } = rateOf(rows, context);
  const frameMs = 1_000 / fps;
  return { cues: cuesOf(rows.slice(told), { unitMs: frameMs, read: taggedLine, notes: context.notes }) };
};

/** MPL2: `[tenths][tenths]text|second line`; a slash before a line makes it italic. */
export const readMpl2: Reader = (text, { notes }) => {
  const rows = linesIn(text).flatMap((line) => rowOf(line, /^\s*\[(\d+)\]\[(\d*)\](.*)$/, notes));
  return { cues: cuesOf(rows, { unitMs: 100, read: slashedLine, notes }) };
};

interface Row {
  readonly start: number;
  readonly end: number | undefined;
  readonly text: string;
}

const rowOf = (line: string, shape: RegExp, notes: Notes): Row[] => {
  const [found, start = "", end = "", text = ""] = shape.exec(line) ?? [];
  if (found === undefined) {
    notes.add("lines_skipped", line.trim() === "" ? 0 : 1);
    return [];
  }
  return [{ start: Number(start), end: end === "" ? undefined : Number(end), text }];
};

/** The first row may say the rate: `{1}{1}25`. */
const rateOf = (
  [first]: readonly Row[],
  { fps, notes }: ReaderContext,
): { readonly fps: number; readonly told: number } => {
  const rate =
    first !== undefined && first.start <= 1 && (first.end ?? 0) <= 1 ? first.text.trim().replace(",", ".") : "";
  const value = /^\d{1,3}(?:\.\d+)?$/.test(rate) ? Number(rate) : 0;
  const told = value > 0 ? 1 : 0;
  if (fps === undefined && told === 0) {
    notes.add("frame_rate_assumed");
  }
  return { fps: fps ?? (value || USUAL_FPS), told };
};

interface Reading {
  readonly unitMs: number;
  /** @returns the run that a line is; tags of the whole cue change `cueStyle` */
  readonly read: (line: string, cue: { style: Style }, notes: Notes) => Run;
  readonly notes: Notes;
}

const cuesOf = (rows: readonly Row[], { unitMs, read, notes }: Reading): Cue[] =>
  rows.map(({ start, end, text }, index) => {
    const from = Math.round(start * unitMs);
    const next = rows[index + 1]?.start;
    notes.add("ends_assumed", end === undefined ? 1 : 0);
    const cue = { style: {} };
    const lines = text.split("|").map((line) => read(line, cue, notes));
    const runs = lines.map((run, line) => ({ ...run, text: line < lines.length - 1 ? `${run.text}\n` : run.text }));
    const until = end === undefined ? openEnd(from, next && Math.round(next * unitMs)) : Math.round(end * unitMs);
    return { start: from, end: until, runs: tidied(runs) };
  });

/** Tags in small letters are for their line, in capitals for all that follows in the cue. */
const taggedLine: Reading["read"] = (line, cue, notes) => {
  let style: Style = cue.style;
  const text = line.replace(/\{([a-z]):([^{}]*)\}/gi, (_, name: string, value: string) => {
    const change = changeOf(name.toLowerCase(), value);
    notes.add("styles_dropped", change === undefined ? 1 : 0);
    style = { ...style, ...change };
    cue.style = name === name.toUpperCase() ? { ...cue.style, ...change } : cue.style;
    return "";
  });
  const italic = /^\s*\//.test(text);
  return { ...style, ...(italic ? { italic } : {}), text: italic ? text.replace(/^\s*\//, "") : text };
};

const changeOf = (name: string, value: string): Style | undefined => {
  const letters = value.toLowerCase();
  if (name === "y") {
    return {
      ...(letters.includes("b") ? { bold: true } : {}),
      ...(letters.includes("i") ? { italic: true } : {}),
      ...(letters.includes("u") ? { underline: true } : {}),
    };
  }
  const colour = name === "c" ? fromBgr(value.replace(/^\$/, "")) : undefined;
  return colour === undefined ? undefined : { colour };
};

const slashedLine: Reading["read"] = (line) =>
  line.startsWith("/") ? { italic: true, text: line.slice(1) } : { text: line };
