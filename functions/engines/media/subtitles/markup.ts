import { colorOf } from "./colors.ts";
import { type Run, type Style, tidied } from "./cue.ts";
import type { Notes } from "./notes.ts";
import { overridden } from "./override.ts";

/** Text with tags as in SubRip and WebVTT: `<b>`, `<i>`, `<u>`, `<font color>`, `<c.yellow>`, `<v Name>`. */

export interface Marked {
  readonly runs: readonly Run[];
  readonly speaker?: string;
  /** Position from `{\an8}`. */
  readonly place?: number;
}

export interface Dialect {
  readonly notes: Notes;
  /** Whether to decode entities such as `&lt;`. */
  readonly entities: boolean;
  /** Whether `{\b1}` and the like are removed from the text: programs write them into SubRip. */
  readonly overrides: boolean;
}

const PIECES = /(<\/?[a-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\})/i;

/** SubRip cannot escape `<`, so only these are tags; `<world>` is text. */
const SUBRIP_TAG = /^<\/?(?:b|i|u|s|font)(?:\s[^>]*)?>$|^\{/i;

export const readMarkup = (text: string, dialect: Dialect): Marked => {
  const state: State = { open: [], runs: [], override: {}, speaker: undefined, place: undefined };
  for (const [index, piece] of text.split(PIECES).entries()) {
    if (index % 2 === 0 || (!dialect.entities && !SUBRIP_TAG.test(piece))) {
      state.runs.push({ ...styleOf(state), text: dialect.entities ? decoded(piece) : piece });
    } else {
      tag(state, piece, dialect);
    }
  }
  const { speaker, place } = state;
  return {
    runs: tidied(state.runs),
    ...(speaker === undefined ? {} : { speaker }),
    ...(place === undefined ? {} : { place }),
  };
};

/** Maximum number of open tags; deeper nesting does not occur, and each piece of text scans all of them. */
const OPEN_TAGS_MAX = 50;

interface State {
  /** Open tags and the style of each. */
  readonly open: { readonly name: string; readonly style: Style }[];
  readonly runs: Run[];
  override: Style;
  speaker: string | undefined;
  place: number | undefined;
}

const styleOf = ({ open, override }: State): Style => Object.assign({ ...override }, ...open.map(({ style }) => style));

const tag = (state: State, piece: string, { notes, overrides }: Dialect): void => {
  if (piece.startsWith("{")) {
    if (!overrides) {
      state.runs.push({ ...styleOf(state), text: piece });
      return;
    }
    const { style, place } = overridden(piece.slice(1, -1), { style: state.override, base: {}, notes });
    state.override = style;
    state.place = place ?? state.place;
    return;
  }
  const [, close, name = "", rest = ""] = /^<(\/?)([a-z]*)([\s\S]*)>$/i.exec(piece) ?? [];
  if (name === "") {
    notes.add("word_times_dropped");
  } else if (close === "/") {
    const index = state.open.findLastIndex((open) => open.name === name.toLowerCase());
    state.open.splice(index === -1 ? state.open.length : index, 1);
  } else {
    openTag(state, name.toLowerCase(), { rest, notes });
  }
};

const TAGS: Readonly<Record<string, (rest: string) => Style | undefined>> = {
  b: () => ({ bold: true }),
  i: () => ({ italic: true }),
  u: () => ({ underline: true }),
  font: (rest) => {
    const [, double, single, bare] = /\bcolor\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(rest) ?? [];
    const color = colorOf(double ?? single ?? bare ?? "");
    return color === undefined ? undefined : { color };
  },
  c: (rest) => {
    const classes = rest.split(/\s/, 1)[0]?.split(".").filter(Boolean) ?? [];
    const color = classes.map(colorOf).find((found) => found !== undefined);
    return color === undefined ? (classes.length === 0 ? {} : undefined) : { color };
  },
};

const openTag = (
  state: State,
  name: string,
  { rest, notes }: { readonly rest: string; readonly notes: Notes },
): void => {
  const style = Object.hasOwn(TAGS, name) ? TAGS[name]?.(rest) : undefined;
  if (name === "v") {
    state.speaker = decoded(rest.replace(/^\.\S*/, "").trim()) || state.speaker;
  } else if (style === undefined) {
    notes.add("styles_dropped");
  }
  if (state.open.length < OPEN_TAGS_MAX) {
    state.open.push({ name, style: style ?? {} });
  }
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  lrm: "\u200e",
  rlm: "\u200f",
};

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (all, decimal, hexadecimal, name: string | undefined) => {
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      if (name !== undefined) {
        return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? all) : all;
      }
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : all;
    },
  );

/** @returns a run wrapped in the tags of its style */
export const markedUp = (
  { text, bold, italic, underline, color }: Run,
  tags: { readonly escape: (text: string) => string; readonly color: (color: string) => readonly [string, string] },
): string => {
  const [open = "", close = ""] = color === undefined ? [] : tags.color(color);
  const pairs = [
    [open, close],
    bold ? ["<b>", "</b>"] : [],
    italic ? ["<i>", "</i>"] : [],
    underline ? ["<u>", "</u>"] : [],
  ];
  // White space stays outside the tags: some players read a cue line by line.
  const words = text.trim();
  const space = text.slice(0, text.length - text.trimStart().length);
  const end = text.slice(text.trimEnd().length);
  const marked = pairs.reduceRight((inner, [before = "", after = ""]) => before + inner + after, tags.escape(words));
  return words === "" ? text : space + marked + end;
};
