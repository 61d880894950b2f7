import { fromBgr } from "./colours.ts";
import type { Style } from "./cue.ts";
import type { Notes } from "./notes.ts";

/** What stands between the braces of `{\i1\c&H00FF&\an8}`: the override tags of SubStation Alpha. */

export interface Override {
  readonly style: Style;
  /** Where the cue stands from here on, where that is said. */
  readonly place?: number;
  /** Whether what follows is drawn, where that is said. */
  readonly drawing?: boolean;
}

interface Before {
  readonly style: Style;
  /** The style that `\r` goes back to. */
  readonly base: Style;
  /** Other styles that `\rName` goes to. */
  readonly styles?: ReadonlyMap<string, Style>;
  readonly notes: Notes;
}

/** @returns the style after the tags, and what else they say */
export const overridden = (tags: string, { style, base, styles, notes }: Before): Override => {
  let result: Override = { style };
  // Behind the last bracket that closes, none is looked for from each that opens.
  const end = tags.lastIndexOf(")") + 1;
  const steady = tags.slice(0, end).replace(/\\t\([^)]*\)/g, "") + tags.slice(end);
  notes.add("styles_dropped", steady === tags ? 0 : 1);
  for (const tag of steady.split("\\").slice(1)) {
    // The names of a style and of a font follow their tags without a sign between.
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
    // A weight of 700 is bold as well; without a number the style's own counts.
    style: { ...style, [name]: value === "" ? (base[name] ?? false) : Number(value) === 1 || Number(value) >= 600 },
  });

const colour = (value: string, { style, base }: Required<Before>): Partial<Override> => {
  const found = value === "" ? base.colour : fromBgr(value.replace(/^&H|&$/gi, ""));
  const { colour: _, ...rest } = style;
  return { style: found === undefined ? rest : { ...rest, colour: found } };
};

/** Places of SubStation Alpha before its version 4+: 1 to 3 below, 5 to 7 above, 9 to 11 in the middle. */
export const legacyPlace = (value: number): number => (value >= 9 ? value - 5 : value >= 5 ? value + 2 : value);

/** @returns whether it is a place as the keys of a number pad lie */
export const isPlace = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 9;

const place = (value: number): Partial<Override> | undefined => (isPlace(value) ? { place: value } : undefined);

const TAGS: Readonly<Record<string, (value: string, before: Required<Before>) => Partial<Override> | undefined>> = {
  b: flag("bold"),
  i: flag("italic"),
  u: flag("underline"),
  c: colour,
  "1c": colour,
  r: (value, { base, styles }) => ({ style: styles.get(value) ?? base }),
  an: (value) => place(Number(value)),
  a: (value) => place(legacyPlace(Number(value))),
  p: (value) => ({ drawing: Number(value) > 0 }),
};
