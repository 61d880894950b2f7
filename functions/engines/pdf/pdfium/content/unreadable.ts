import { isUnreadable } from "./characters.ts";
import type { FontStyle } from "./fonts.ts";
import type { Glyph } from "./glyphs.ts";

/** The glyphs of a page, those without known characters with an empty text. */
export interface Readable {
  readonly glyphs: readonly Glyph[];
  /** Number of glyphs of which the file does not say which characters they are. */
  readonly unreadable: number;
}

/** Maximum share of unknown letters in a font whose other letters are believed. */
const UNREADABLE_MAX = 0.3;

export const withoutUnreadable = (glyphs: readonly Glyph[]): Readable => {
  const faces = new Map<FontStyle, { all: number; bad: number }>();
  for (const { text, style } of glyphs) {
    const face = faces.get(style.face) ?? { all: 0, bad: 0 };
    face.all += text === " " ? 0 : 1;
    face.bad += isUnreadable(text) ? 1 : 0;
    faces.set(style.face, face);
  }
  let unreadable = 0;
  const known = glyphs.map((glyph, index) => {
    const { all, bad } = faces.get(glyph.style.face) ?? { all: 1, bad: 0 };
    const unbelieved = bad > UNREADABLE_MAX * all && glyph.text !== " ";
    if (!unbelieved && !isUnreadable(glyph.text)) {
      return glyph;
    }
    const [before, after] = [glyphs[index - 1], glyphs[index + 1]];
    const hyphen = !unbelieved && dividesWord(glyph, before, after);
    const text = hyphen ? "\u00ad" : startsItem(glyph, before, after) ? "•" : "";
    unreadable += text === "" ? 1 : 0;
    return { ...glyph, text };
  });
  return { glyphs: known, unreadable };
};

/** White space after the mark of a list item, in units of the letter size. */
const MARK_GAP = 0.35;

/** @returns whether an unknown glyph is alone at the start of a line: symbol fonts do not say what their marks are */
const startsItem = ({ baseline, right, style }: Glyph, before: Glyph | undefined, after: Glyph | undefined): boolean =>
  after !== undefined &&
  after.style.face !== style.face &&
  Math.abs(after.baseline - baseline) < 1 &&
  after.left - right > MARK_GAP * style.size &&
  (before === undefined || Math.abs(before.baseline - baseline) > 0.8 * style.size);

/** @returns whether an unknown glyph is the hyphen of a divided word: Typst does not say which character that is */
const dividesWord = ({ baseline }: Glyph, before: Glyph | undefined, after: Glyph | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  Math.abs(before.baseline - baseline) < 1 &&
  after.baseline - baseline > 0.8 * after.style.size &&
  LOWER.test(before.text) &&
  LOWER.test(after.text);

const LOWER = /^\p{Ll}+$/u;
