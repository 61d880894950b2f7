import { linesIn } from "./blocks.ts";
import type { Reader } from "./codec.ts";
import { fromBgr } from "./colors.ts";
import { type Cue, type Run, type Style, tidied } from "./cue.ts";
import type { Notes } from "./notes.ts";
import { isPlace, legacyPlace, overridden } from "./override.ts";
import { clockMs } from "./times.ts";

/** SubStation Alpha, version 4 (SSA) and 4+ (ASS). */
export const readAss: Reader = (text, { notes }) => {
  const script: Script = { section: "", format: [], styles: new Map(), cues: [], title: undefined, notes };
  for (const line of linesIn(text)) {
    readLine(script, line.trim());
  }
  const { title, cues } = script;
  return { ...(title ? { title } : {}), cues };
};

interface Named extends Style {
  readonly place: number;
}

interface Script {
  section: string;
  /** Column names of the section, in lower case. */
  format: readonly string[];
  readonly styles: Map<string, Named>;
  readonly cues: Cue[];
  title: string | undefined;
  readonly notes: Notes;
}

const readLine = (script: Script, line: string): void => {
  const section = /^\[(.+)\]$/.exec(line)?.[1]?.toLowerCase();
  const [, name = "", value = ""] = /^([\w !;]+?):\s*(.*)$/.exec(line) ?? [];
  if (section !== undefined) {
    script.section = section;
    script.format = [];
  } else if (line === "" || /^[;!]/.test(line)) {
    script.notes.add("comments_dropped", /^[;!]:?\s*\S/.test(line) && !isOwnMark(line) ? 1 : 0);
  } else if (name.toLowerCase() === "format") {
    script.format = value.split(",").map((column) => column.trim().toLowerCase());
  } else {
    entry(script, name.toLowerCase(), value);
  }
};

/** Comments that only name the program are not reported as lost. */
const isOwnMark = (line: string): boolean => /script|generated|created|http/i.test(line);

const entry = (script: Script, name: string, value: string): void => {
  if (script.section === "script info") {
    script.title = name === "title" ? value : script.title;
  } else if (/styles\+?$/.test(script.section) && name === "style") {
    const row = rowOf(script.format, value);
    script.styles.set(row("name").replace(/^\*/, ""), styleOf(row, script.section.includes("+")));
  } else if (script.section === "events" && name === "dialogue") {
    addCue(script, rowOf(script.format, value));
  } else if (script.section === "fonts" || script.section === "graphics") {
    script.notes.add("styles_dropped", /^(?:font|file)name$/.test(name) ? 1 : 0);
  } else if (script.section === "events") {
    script.notes.add(name === "comment" ? "comments_dropped" : "lines_skipped");
  }
};

type Row = (column: string) => string;

/** The last column takes the rest of the line, including commas. */
const rowOf = (format: readonly string[], value: string): Row => {
  const cells = value.split(",");
  const last = format.length - 1;
  return (column) => {
    const index = format.indexOf(column);
    return (index === last ? cells.slice(last).join(",") : (cells[index] ?? "")).trim();
  };
};

const styleOf = (row: Row, plus: boolean): Named => {
  const color = numericColor(row("primarycolour"));
  const alignment = Number(row("alignment"));
  const place = plus ? alignment : legacyPlace(alignment);
  return {
    ...(Number(row("bold")) === 0 ? {} : { bold: true }),
    ...(Number(row("italic")) === 0 ? {} : { italic: true }),
    ...(Number(row("underline")) === 0 ? {} : { underline: true }),
    // White is the default text color.
    ...(color === undefined || color === "#ffffff" ? {} : { color }),
    place: isPlace(place) ? place : 2,
  };
};

/** Colors are `&HAABBGGRR`, or the same value in decimal in old scripts. */
const numericColor = (text: string): string | undefined => {
  const decimal = /^-?\d+$/.test(text) ? (Number(text) >>> 0).toString(16) : undefined;
  return text === "" ? undefined : fromBgr(decimal ?? text.replace(/^&H|&$/gi, ""));
};

const addCue = ({ cues, styles, notes }: Script, row: Row): void => {
  const [start, end] = [clockMs(row("start")), clockMs(row("end"))];
  if (start === undefined || end === undefined) {
    notes.add("lines_skipped");
    return;
  }
  const { place: usual = 2, ...base } = styles.get(row("style").replace(/^\*/, "")) ?? styles.get("Default") ?? {};
  const { runs, place = usual, drawn } = textOf(row("text"), { base, styles, notes });
  notes.add("drawings_dropped", drawn);
  // A cue with only drawings has no text and is skipped.
  if (runs.length > 0 || drawn === 0) {
    const speaker = row("name") || row("actor");
    cues.push({ start, end, runs, ...(place === 2 ? {} : { place }), ...(speaker === "" ? {} : { speaker }) });
  }
};

interface Base {
  readonly base: Style;
  readonly styles: ReadonlyMap<string, Style>;
  readonly notes: Notes;
}

const textOf = (text: string, before: Base) => {
  const runs: Run[] = [];
  let [style, place, drawing, drawn] = [before.base, undefined as number | undefined, false, 0];
  for (const [index, piece] of piecesOf(text).entries()) {
    if (index % 2 === 0) {
      drawn += drawing && piece.trim() !== "" ? 1 : 0;
      runs.push({ ...style, text: drawing ? "" : plain(piece) });
    } else {
      const change = overridden(piece, { ...before, style });
      // Braces without a backslash contain a comment.
      before.notes.add("comments_dropped", piece.includes("\\") ? 0 : 1);
      style = change.style;
      place ??= change.place;
      drawing = change.drawing ?? drawing;
    }
  }
  return { runs: tidied(runs), drawn, ...(place === undefined ? {} : { place }) };
};

/**
 * @returns texts and, between them, the contents of braces. Stops after the last closing brace, so that unclosed braces
 * do not cost quadratic time.
 */
const piecesOf = (text: string): string[] => {
  const end = text.lastIndexOf("}") + 1;
  const pieces = text.slice(0, end).split(/\{([^}]*)\}/);
  return [...pieces.slice(0, -1), `${pieces.at(-1) ?? ""}${text.slice(end)}`];
};

const plain = (text: string): string => text.replace(/\\[Nn]/g, "\n").replaceAll("\\h", "\u00a0");
