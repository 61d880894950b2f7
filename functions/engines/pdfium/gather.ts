import type { Char } from "./chars.ts";
import type { Box } from "./geometry.ts";
import type { LinkArea } from "./links.ts";
import { joinRuns, type Piece, readsFromRight, textOf, trimRuns } from "./pieces.ts";
import type { Rule } from "./rules.ts";
import { runsIn } from "./runs.ts";

/** Parts of the letters' size: a gap wider than this parts two pieces; a space is a quarter. */
const GAP_MAX = 0.8;
/** How far letters may stand above or below their line, as footnote marks do. */
const SHIFT_MAX = 0.6;

/**
 * Gathers characters into pieces, in the order that PDFium reads them: a new one begins at a wide gap, on another line,
 * and where the direction of the letters changes.
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
      // A space has no place that can be trusted: it belongs to what stands before it.
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

/** What stands around the characters of a page. */
export interface Surroundings {
  readonly links: readonly LinkArea[];
  readonly rules: readonly Rule[];
}

/** Lines of a page that are taken for the borders of cells: a map has more. */
const RULES_MAX = 3_000;

interface Reach {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly size: number;
  readonly upright: boolean;
  /** Where the last character begins: the letters of a ligature all have its place. */
  readonly last: number;
}

/** @returns whether a line goes down between the last character and this one */
const parts = ({ at, from, to }: Rule, char: Char, reach: Reach | undefined): boolean =>
  reach !== undefined &&
  ((at > reach.right - 1 && at < char.left + 1) || (at > char.right - 1 && at < reach.left + 1)) &&
  from < char.baseline - 0.3 * char.look.size &&
  to > char.baseline - 0.3 * char.look.size;

const extended = (reach: Reach | undefined, { left, right, baseline, look, upright }: Char): Reach =>
  reach === undefined
    ? { left, right, baseline, size: look.size, upright, last: left }
    : {
        left: Math.min(reach.left, left),
        right: Math.max(reach.right, right),
        // A mark that is raised does not lift the line.
        baseline: look.size >= reach.size ? baseline : reach.baseline,
        size: Math.max(reach.size, look.size),
        upright,
        last: left,
      };

const belongs = (char: Char, reach: Reach): boolean => {
  if (!char.upright || !reach.upright) {
    return char.upright === reach.upright;
  }
  const size = Math.max(reach.size, char.look.size);
  const gap = Math.max(char.left - reach.right, reach.left - char.right);
  const overlap = Math.min(char.right, reach.right) - Math.max(char.left, reach.left);
  const inside = char.left !== reach.last && overlap > Math.max(size, 0.7 * (char.right - char.left));
  return Math.abs(char.baseline - reach.baseline) < SHIFT_MAX * size && gap < GAP_MAX * size && !inside;
};

/** Parts of the letters' size from which a gap is a space, where PDFium has seen none. */
const SPACE_MIN = 0.3;

const isParted = (char: Char, reach: Reach, last: Char | undefined): boolean =>
  char.upright &&
  last?.text !== " " &&
  Math.max(char.left - reach.right, reach.left - char.right) > SPACE_MIN * char.look.size;

const pieceOf = (chars: readonly Char[], links: readonly LinkArea[]): Piece | undefined => {
  const solid = chars.filter(({ text }) => text !== " ");
  const [first] = solid;
  if (first === undefined) {
    return undefined;
  }
  const size = Math.max(...solid.slice(0, SIZED_MAX).map(({ look }) => look.size));
  const { baseline } = solid.find(({ look }) => look.size === size) ?? first;
  const runs = trimRuns(joinRuns(runsIn(chars, { links, size, baseline })));
  const text = textOf(runs);
  return { text, runs, size, baseline, rtl: readsFromRight(text), ...boxOf(solid) };
};

/** Characters that are looked at for a piece's size: no line has more, but text that is turned may. */
const SIZED_MAX = 2_000;

const boxOf = (chars: readonly Char[]): Box => {
  const box = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
  for (const { left, right, baseline, look } of chars) {
    box.left = Math.min(box.left, left);
    box.right = Math.max(box.right, right);
    // Boxes of fonts lie: some reach over three lines. What letters take of their line is known better.
    box.top = Math.min(box.top, baseline - ASCENT * look.size);
    box.bottom = Math.max(box.bottom, baseline + DESCENT * look.size);
  }
  return box;
};

const ASCENT = 0.75;
const DESCENT = 0.22;

/**
 * One glyph may stand for several letters, which all have its place. Where the line reads from right to left, PDFium has
 * turned them round with the rest.
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
