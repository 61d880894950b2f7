import { fromBgr } from "./colors.ts";
import type { Style } from "./cue.ts";
import type { Notes } from "./notes.ts";

/** The content of braces such as `{\i1\c&H00FF&\an8}`: override tags of SubStation Alpha. */

export interface Override {
  readonly style: Style;
  /** Position of the cue from here on, if set. */
  readonly place?: number;
  /** Whether the following text is a drawing, if set. */
  readonly drawing?: boolean;
}

interface Before {
  readonly style: Style;
  /** The style that `\r` resets to. */
  readonly base: Style;
  /** Other styles that `\rName` resets to. */
  readonly styles?: ReadonlyMap<string, Style>;
  readonly notes: Notes;
}

/** @returns the style after the tags, and their other effects */
export const overridden = (tags: string, { style, base, styles, notes }: Before): Override => {
  let result: Override = { style };
  // Stops after the last closing parenthesis, so that unclosed ones do not cost quadratic time.
  const end = tags.lastIndexOf(")") + 1;
  const steady = tags.slice(0, end).replace(/\\t\([^)]*\)/g, "") + tags.slice(end);
  notes.add("styles_dropped", steady === tags ? 0 : 1);
  for (const tag of steady.split("\\").slice(1)) {
    // Style and font names follow their tags without a separator.
    const [, name = "", value = ""] = /^(r|fn|\d?[a-z]+)([\s\S]*)$/i.exec(tag) ?? [];
    const before = { style: result.style, base, styles: styles ?? new Map(), notes };
    result = { ...result, ...changed(name, value.trim(), before) };
  }
  return result;
};

const changed = (name: string, value: string, before: Required<Before>): Partial<Override> => {
  const change = Object.hasOwn(TAGS, name) ? TAGS[name]?.(value, before) : undefined;
  if (change === undefined) {
    const code = /^k[fo]?$/i.test(name)
      ? "word_times_dropped"
      : /^(?:pos|move|org)$/.test(name)
        ? "positions_dropped"
        : "styles_dropped";
    before.notes.add(code);
  }
  return change ?? {};
};

const flag =
  (name: "bold" | "italic" | "underline") =>
  (value: string, { style, base }: Required<Before>): Partial<Override> => ({
    // A weight of 700 is also bold; a tag without a number resets to the style's value.
    style: { ...style, [name]: value === "" ? (base[name] ?? false) : Number(value) === 1 || Number(value) >= 600 },
  });

const color = (value: string, { style, base }: Required<Before>): Partial<Override> => {
  const found = value === "" ? base.color : fromBgr(value.replace(/^&H|&$/gi, ""));
  const { color: _, ...rest } = style;
  return { style: found === undefined ? rest : { ...rest, color: found } };
};

/** SubStation Alpha positions before version 4+: 1 to 3 bottom, 5 to 7 top, 9 to 11 middle. */
export const legacyPlace = (value: number): number => (value >= 9 ? value - 5 : value >= 5 ? value + 2 : value);

/** @returns whether the value is a numeric keypad position */
export const isPlace = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 9;

const place = (value: number): Partial<Override> | undefined => (isPlace(value) ? { place: value } : undefined);

const TAGS: Readonly<Record<string, (value: string, before: Required<Before>) => Partial<Override> | undefined>> = {
  b: flag("bold"),
  i: flag("italic"),
  u: flag("underline"),
  c: color,
  "1c": color,
  r: (value, { base, styles }) => ({ style: styles.get(value) ?? base }),
  an: (value) => place(Number(value)),
  a: (value) => place(legacyPlace(Number(value))),
  p: (value) => ({ drawing: Number(value) > 0 }),
};
