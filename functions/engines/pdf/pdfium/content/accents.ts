import type { Glyph } from "./glyphs.ts";

/** Accents with a width, which old fonts draw over or under a letter, and the marks that they stand for. */
const MARKS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
};
const LETTER = /^\p{L}$/u;
const DOTLESS: Readonly<Record<string, string>> = { ı: "i", ȷ: "j" };

/** @returns the glyphs with accents joined to the letter that they are drawn over */
export const withAccents = (glyphs: readonly Glyph[]): Glyph[] => {
  const joined: Glyph[] = [];
  let pending: Glyph | undefined;
  for (const [index, glyph] of glyphs.entries()) {
    const last = joined.at(-1);
    if (MARKS[glyph.text] !== undefined && last !== undefined && isOver(glyph, last)) {
      joined[joined.length - 1] = accented(last, glyph);
    } else if (MARKS[glyph.text] !== undefined && isOver(glyph, glyphs[index + 1])) {
      pending = glyph;
    } else {
      joined.push(pending === undefined ? glyph : accented(glyph, pending));
      pending = undefined;
    }
  }
  return joined;
};

/** @returns whether the middle of an accent is within a letter's width */
const isOver = (accent: Glyph, letter: Glyph | undefined): boolean => {
  const middle = (accent.left + accent.right) / 2;
  return (
    letter !== undefined &&
    LETTER.test(letter.text) &&
    letter.style.frame === accent.style.frame &&
    Math.abs(letter.baseline - accent.baseline) < letter.style.size &&
    middle > letter.left &&
    middle < letter.right
  );
};

const accented = (letter: Glyph, accent: Glyph): Glyph => ({
  ...letter,
  text: ((DOTLESS[letter.text] ?? letter.text) + (MARKS[accent.text] ?? "")).normalize("NFC"),
});
