import { linesIn } from "./blocks.ts";
import type { Reader, ReaderContext } from "./codec.ts";
import { type Cue, type Run, type Style, tidied } from "./cue.ts";

/** Formats with one cue per line, `|` between the lines of its text, and times as numbers. */

/** Duration in milliseconds of a cue without an end, if the next one does not start earlier. */
const OPEN_MS_MAX = 10_000;

/** Frame rate of most files without a declaration: film on NTSC television. */
const FRAMES_PER_SECOND = 24_000 / 1_001;

/** MicroDVD: `{start}{end}text`, in frames. The first cue can declare the frame rate: `{1}{1}25`. */
export const readMicroDvd: Reader = (text, { notes }) => {
  const lines = linesIn(text);
  const [, declared] = /^\s*\{[01]?\}\{[01]?\}\s*(\d+(?:[.,]\d+)?)\s*$/.exec(lines[0] ?? "") ?? [];
  const rate = Number(declared?.replace(",", ".") ?? 0) || FRAMES_PER_SECOND;
  notes.add("frame_rate_assumed", declared === undefined ? 1 : 0);
  const cues = readLines(declared === undefined ? lines : lines.slice(1), {
    shape: /^\s*\{(\d+)\}\{(\d*)\}(.*)$/,
    unitMs: 1_000 / rate,
    runs: (line, style) => frameRuns(line, style, notes),
    notes,
  });
  return { cues };
};

/** MPL2: `[start][end]text`, in tenths of a second; a line in italics starts with `/`. */
export const readMpl2: Reader = (text, { notes }) => ({
  cues: readLines(linesIn(text), {
    shape: /^\s*\[(\d+)\]\[(\d*)\](.*)$/,
    unitMs: 100,
    runs: (line) => ({ text: line.replace(/^\//, ""), own: line.startsWith("/") ? { italic: true } : {}, all: {} }),
    notes,
  }),
});

interface Dialect extends ReaderContext {
  /** Start, end and text of a cue. */
  readonly shape: RegExp;
  readonly unitMs: number;
  /**
   * @param style of the lines before, which applies to the following ones
   * @returns the text of a line, and the styles of the line and of the rest of the cue
   */
  readonly runs: (line: string, style: Style) => { readonly text: string; readonly own: Style; readonly all: Style };
}

const readLines = (lines: readonly string[], dialect: Dialect): Cue[] => {
  const read = lines.flatMap((line) => {
    const [, start = "", end = "", text] = dialect.shape.exec(line) ?? [];
    return text === undefined ? [] : [{ start: Number(start), end: end === "" ? undefined : Number(end), text }];
  });
  dialect.notes.add("lines_skipped", lines.filter((line) => line.trim() !== "").length - read.length);
  dialect.notes.add("ends_assumed", read.filter(({ end }) => end === undefined).length);
  const ms = (value: number): number => Math.round(value * dialect.unitMs);
  return read.map(({ start, end, text }, index) => {
    const next = read[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const until = end === undefined ? Math.min(ms(next), ms(start) + OPEN_MS_MAX) : ms(end);
    return { start: ms(start), end: until, runs: runsOf(text, dialect) };
  });
};

const runsOf = (text: string, { runs }: Dialect): Run[] => {
  let style: Style = {};
  const pieces = text.split("|").flatMap((line, index): Run[] => {
    const { text: words, own, all } = runs(line, style);
    style = { ...style, ...all };
    return [...(index === 0 ? [] : [{ text: "\n" }]), { ...style, ...own, text: words }];
  });
  return tidied(pieces);
};

const CODE = /^\{([a-z]):([^{}]*)\}/i;
const STYLES: Readonly<Record<string, Style>> = { b: { bold: true }, i: { italic: true }, u: { underline: true } };

/** Codes at the start of a line: in lowercase for the line, in uppercase for the cue. Colors are `$BBGGRR`. */
const frameRuns = (line: string, style: Style, notes: ReaderContext["notes"]) => {
  let [text, own, all] = [line, {} as Style, style];
  for (let code = CODE.exec(text); code !== null; code = CODE.exec(text)) {
    const [whole, name = "", value = ""] = code;
    const found = styleOf(name.toLowerCase(), value);
    notes.add("styles_dropped", found === undefined ? 1 : 0);
    if (name === name.toLowerCase()) {
      own = { ...own, ...found };
    } else {
      all = { ...all, ...found };
    }
    text = text.slice(whole.length);
  }
  return { text, own, all };
};

const styleOf = (name: string, value: string): Style | undefined => {
  if (name === "y") {
    const styles = value
      .toLowerCase()
      .split(",")
      .map((letter) => STYLES[letter.trim()]);
    return styles.includes(undefined) ? undefined : Object.assign({}, ...styles);
  }
  const [, blue, green, red] = /^\$([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(value.trim()) ?? [];
  return name === "c" && red !== undefined ? { color: `#${red}${green}${blue}`.toLowerCase() } : undefined;
};
