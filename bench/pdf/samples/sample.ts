/** A document with known content, printed to PDF by several programs: the truth that conversions are scored against. */
export interface Sample {
  readonly name: string;
  /** Class of documents in the report. */
  readonly kind: string;
  /** @default en */
  readonly language?: string;
  readonly rtl?: boolean;
  /** Width and height in points. @default A4 */
  readonly page?: readonly [number, number];
  /** @default Carlito, 11 pt */
  readonly font?: { readonly family: string; readonly size: number };
  /** Lines at the top and bottom of each page; `#` is the page number. */
  readonly header?: string;
  readonly footer?: string;
  readonly blocks: readonly Block[];
  /** @default all */
  readonly printers?: readonly Printer[];
}

export type Printer = "chromium" | "office" | "typst";

export type Block = Text | Grid | Columns | Boxed | Picture | Chart | Sideways;

export interface Text {
  readonly kind: "text";
  readonly role: "paragraph" | "title" | "heading" | "bullet" | "number";
  readonly runs: readonly Run[];
  /** @default start */
  readonly align?: Align;
  /** Of a list item, from 0. */
  readonly depth?: number;
  readonly dropCap?: boolean;
}

export type Align = "start" | "center" | "end" | "justify";

export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** `rrggbb`. */
  readonly color?: string;
  readonly size?: number;
  readonly highlight?: string;
  readonly superscript?: boolean;
  /** Text of the footnote after this run. */
  readonly note?: string;
}

export interface Grid {
  readonly kind: "grid";
  readonly rows: readonly (readonly Cell[])[];
  /** Rules around all cells, below each row, or none. */
  readonly rules: "all" | "rows" | "none";
  /** Background of every second row, `rrggbb`. */
  readonly stripe?: string;
  /** Share of each column in percent. */
  readonly widths: readonly number[];
}

export interface Cell {
  readonly runs: readonly Run[];
  readonly align?: Align;
  readonly rows?: number;
  readonly columns?: number;
  readonly fill?: string;
}

/** Balanced columns of text. */
export interface Columns {
  readonly kind: "columns";
  readonly count: number;
  readonly blocks: readonly (Text | Picture)[];
}

export interface Boxed {
  readonly kind: "boxed";
  readonly fill: string;
  readonly blocks: readonly Text[];
}

export interface Picture {
  readonly kind: "picture";
  readonly width: number;
  readonly height: number;
  readonly color: string;
}

/** A bar chart drawn with vectors. Its labels belong to the picture, not to the text. */
export interface Chart {
  readonly kind: "chart";
  readonly bars: readonly (readonly [string, number])[];
}

/** Text that reads upward in the left margin. */
export interface Sideways {
  readonly kind: "sideways";
  readonly text: string;
}

const MARKUP =
  /\*\*(?<bold>.+?)\*\*|__(?<italic>.+?)__|\{(?<color>[0-9a-f]{6})\|(?<colored>.+?)\}|\{(?<size>\d+)pt\|(?<sized>.+?)\}|\{mark\|(?<marked>.+?)\}|\^\((?<raised>.+?)\)|\[\^(?<note>.+?)\]/gu;

/**
 * @param markup `**bold**`, `__italic__`, `{rrggbb|color}`, `{14pt|size}`, `{mark|highlight}`, `^(superscript)` and
 * `[^footnote]`, not nested
 */
const runsOf = (markup: string): Run[] => {
  const runs: Run[] = [];
  let end = 0;
  for (const match of markup.matchAll(MARKUP)) {
    runs.push({ text: markup.slice(end, match.index) }, markedRun(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  return [...runs, { text: markup.slice(end) }].filter(({ text, note }) => text !== "" || note !== undefined);
};

const markedRun = (groups: Record<string, string | undefined>): Run => {
  const { bold, italic, color, colored, size, sized, marked, raised, note } = groups;
  return {
    text: bold ?? italic ?? colored ?? sized ?? marked ?? raised ?? "",
    ...(bold === undefined ? {} : { bold: true }),
    ...(italic === undefined ? {} : { italic: true }),
    ...(color === undefined ? {} : { color }),
    ...(size === undefined ? {} : { size: Number(size) }),
    ...(marked === undefined ? {} : { highlight: "ffff00" }),
    ...(raised === undefined ? {} : { superscript: true }),
    ...(note === undefined ? {} : { note }),
  };
};

type TextSettings = Pick<Text, "align" | "depth" | "dropCap">;

const textOf =
  (role: Text["role"]) =>
  (markup: string, settings: TextSettings = {}): Text => ({ kind: "text", role, runs: runsOf(markup), ...settings });

export const paragraph = textOf("paragraph");
export const title = textOf("title");
export const heading = textOf("heading");
export const bullet = textOf("bullet");
export const item = textOf("number");

/** A cell: its text, or its text with an alignment, extent or background. */
type CellSource = string | (Omit<Cell, "runs"> & { readonly text: string });

/** @param settings `ends`: columns, from 0, that are aligned to the end */
export const grid = (
  rows: readonly (readonly CellSource[])[],
  settings: Pick<Grid, "rules" | "widths" | "stripe"> & {
    readonly ends?: readonly number[];
    readonly boldHeader?: boolean;
  },
): Grid => {
  const { ends = [], boldHeader = true, ...rest } = settings;
  const cellOf = (source: CellSource, row: number, column: number): Cell => {
    const { text, ...cell } = typeof source === "string" ? { text: source } : source;
    const marked = row === 0 && boldHeader && text !== "" ? `**${text}**` : text;
    return { ...(ends.includes(column) ? { align: "end" as const } : {}), ...cell, runs: runsOf(marked) };
  };
  return { kind: "grid", ...rest, rows: rows.map((row, at) => row.map((cell, column) => cellOf(cell, at, column))) };
};

export const BODY_SIZE = 11;
/** Sizes of a title and a heading relative to the body. */
export const TITLE_SCALE = 1.8;
export const HEADING_SCALE = 1.3;
export const A4 = [595, 842] as const;
