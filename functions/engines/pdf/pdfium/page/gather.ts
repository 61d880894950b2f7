import { joinRuns, type Piece, readsFromRight, textOf, trimRuns } from "../layout/pieces.ts";
import type { Char } from "./chars.ts";
import type { Box } from "./geometry.ts";
import type { LinkArea } from "./links.ts";
import type { Rule } from "./rules.ts";
import { runsIn } from "./runs.ts";

/** In units of the letter size: a wider gap separates two pieces; a space is a quarter. */
const GAP_MAX = 0.8;
/** Maximum distance of letters from their baseline, as with footnote marks. */
const SHIFT_MAX = 0.6;

/**
 * Groups characters into pieces, in PDFium's reading order. A new piece starts at a wide gap, on a new line, and where
 * the text direction changes.
 */
export const piecesOf = (chars: readonly Char[], { links, rules }: Surroundings): Piece[] => {
  const borders = rules.length > RULES_MAX ? [] : rules.filter(({ across }) => !across);
  const pieces: Piece[] = [];
  let open: Char[] = [];
  const close = (): void => {
    const piece = pieceOf(open, links);
    if (piece !== undefined) {
      pieces.push(piece);
    }
    open = [];
  };
  let reach: Reach | undefined;
  for (const char of inReadingOrder(chars)) {
    if (char.text === "\n") {
      continue;
    }
    if (char.text === " ") {
      // The position of a space is unreliable, so it belongs to the preceding character.
      open.length > 0 && open.push(char);
      continue;
    }
    if (reach !== undefined && (!belongs(char, reach) || borders.some((rule) => parts(rule, char, reach)))) {
      close();
      reach = undefined;
    }
    if (reach !== undefined && isParted(char, reach, open.at(-1))) {
      open.push({ ...char, text: " " });
    }
    open.push(char);
    reach = extended(reach, char);
  }
  close();
  return pieces;
};

/** Context of the characters of a page. */
export interface Surroundings {
  readonly links: readonly LinkArea[];
  readonly rules: readonly Rule[];
}

/** Maximum lines treated as cell borders: a map has more. */
const RULES_MAX = 3_000;

interface Reach {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly size: number;
  readonly upright: boolean;
  /** Left edge of the last character: all letters of a ligature share its position. */
  readonly last: number;
}

/** @returns whether a vertical line separates the last character from this one */
const parts = ({ at, from, to }: Rule, char: Char, reach: Reach | undefined): boolean =>
  reach !== undefined &&
  ((at > reach.right - 1 && at < char.left + 1) || (at > char.right - 1 && at < reach.left + 1)) &&
  from < char.baseline - 0.3 * char.style.size &&
  to > char.baseline - 0.3 * char.style.size;

const extended = (reach: Reach | undefined, { left, right, baseline, style, upright }: Char): Reach =>
  reach === undefined
    ? { left, right, baseline, size: style.size, upright, last: left }
    : {
        left: Math.min(reach.left, left),
        right: Math.max(reach.right, right),
        // A superscript does not raise the baseline.
        baseline: style.size >= reach.size ? baseline : reach.baseline,
        size: Math.max(reach.size, style.size),
        upright,
        last: left,
      };

const belongs = (char: Char, reach: Reach): boolean => {
  if (!char.upright || !reach.upright) {
    return char.upright === reach.upright;
  }
  const size = Math.max(reach.size, char.style.size);
  const gap = Math.max(char.left - reach.right, reach.left - char.right);
  const overlap = Math.min(char.right, reach.right) - Math.max(char.left, reach.left);
  const inside = char.left !== reach.last && overlap > Math.max(size, 0.7 * (char.right - char.left));
  return Math.abs(char.baseline - reach.baseline) < SHIFT_MAX * size && gap < GAP_MAX * size && !inside;
};

/** In units of the letter size: minimum gap treated as a space where PDFium detected none. */
const SPACE_MIN = 0.3;

const isParted = (char: Char, reach: Reach, last: Char | undefined): boolean =>
  char.upright &&
  last?.text !== " " &&
  Math.max(char.left - reach.right, reach.left - char.right) > SPACE_MIN * char.style.size;

const pieceOf = (chars: readonly Char[], links: readonly LinkArea[]): Piece | undefined => {
  const solid = chars.filter(({ text }) => text !== " ");
  const [first] = solid;
  if (first === undefined) {
    return undefined;
  }
  const size = Math.max(...solid.slice(0, SIZED_MAX).map(({ style }) => style.size));
  const { baseline } = solid.find(({ style }) => style.size === size) ?? first;
  const runs = trimRuns(joinRuns(runsIn(chars, { links, size, baseline })));
  const text = textOf(runs);
  return { text, runs, size, baseline, rtl: readsFromRight(text), ...boxOf(solid) };
};

/** Maximum characters used to measure a piece: no line has more, but rotated text may. */
const SIZED_MAX = 2_000;

const boxOf = (chars: readonly Char[]): Box => {
  const box = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
  for (const { left, right, baseline, style } of chars) {
    box.left = Math.min(box.left, left);
    box.right = Math.max(box.right, right);
    // Font boxes are unreliable: some span three lines. The typical share of the line height is more accurate.
    box.top = Math.min(box.top, baseline - ASCENT * style.size);
    box.bottom = Math.max(box.bottom, baseline + DESCENT * style.size);
  }
  return box;
};

const ASCENT = 0.75;
const DESCENT = 0.22;

/**
 * One glyph may represent several letters, which all have its position. In right-to-left lines, PDFium has already
 * reversed them with the rest.
 */
const inReadingOrder = (chars: readonly Char[]): Char[] => {
  const ordered: Char[] = [];
  for (let at = 0; at < chars.length; ) {
    const first = chars[at];
    let end = at + 1;
    while (first !== undefined && isOfGlyph(chars[end], first)) {
      end += 1;
    }
    const glyph = chars.slice(at, end);
    ordered.push(...(glyph.length > 1 && readsFromRight(first?.text ?? "") ? glyph.toReversed() : glyph));
    at = end;
  }
  return ordered;
};

const isOfGlyph = (char: Char | undefined, { left, right, baseline }: Char): boolean =>
  char !== undefined && right > left && char.left === left && char.right === right && char.baseline === baseline;
