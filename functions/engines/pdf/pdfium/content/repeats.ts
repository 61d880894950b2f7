import type { Glyph, GlyphStyle } from "./glyphs.ts";

/** Distance of a letter from the one that it repeats, in units of the letter size: less than the width of an `l`. */
const DISTANCE_MAX = 0.1;

/**
 * Joins letters that are printed twice at nearly the same place, which makes them bold or gives them a shadow. The last
 * one is on top, so it has the style; one of the same color makes it bold.
 */
export const withoutRepeats = (glyphs: readonly Glyph[]): Glyph[] => {
  const kept: Glyph[] = [];
  const places = new Map<string, number[]>();
  const bolder = new Map<GlyphStyle, GlyphStyle>();
  const boldOf = (style: GlyphStyle): GlyphStyle => {
    const found = bolder.get(style) ?? { ...style, bold: true };
    bolder.set(style, found);
    return found;
  };
  for (const glyph of glyphs) {
    const { style, text } = glyph;
    const reach = DISTANCE_MAX * style.size;
    const [column, row] = [Math.round(glyph.left / reach), Math.round(glyph.baseline / reach)];
    const keyAt = (across: number, down: number) => `${text} ${style.frame.quarters} ${column + across} ${row + down}`;
    const repeated = NEAR.flatMap(([across, down]) => places.get(keyAt(across, down)) ?? []).find((index) =>
      isAt(kept[index], glyph, reach),
    );
    const first = repeated === undefined ? undefined : kept[repeated];
    if (repeated === undefined || first === undefined) {
      places.set(keyAt(0, 0), [...(places.get(keyAt(0, 0)) ?? []), kept.length]);
      kept.push(glyph);
    } else {
      kept[repeated] = { ...first, style: first.style.color === style.color ? boldOf(style) : style };
    }
  }
  return kept;
};

const NEAR = [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((down) => [across, down] as const));

const isAt = (one: Glyph | undefined, { left, baseline, style }: Glyph, reach: number): boolean =>
  one !== undefined &&
  one.text !== "" &&
  Math.abs(one.left - left) <= reach &&
  Math.abs(one.baseline - baseline) <= reach &&
  Math.abs(one.style.size - style.size) <= reach;
