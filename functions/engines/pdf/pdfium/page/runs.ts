import type { Run } from "../layout/pieces.ts";
import type { Char } from "./chars.ts";
import type { LinkArea } from "./links.ts";

/** Key of a piece whose runs have been created. */
interface Around {
  readonly links: readonly LinkArea[];
  readonly size: number;
  readonly baseline: number;
}

/** @returns the characters as runs with the same style, link and baseline */
export const runsIn = (chars: readonly Char[], around: Around): Run[] => {
  const runs: Run[] = [];
  let from = 0;
  let text = "";
  let [link, shift] = chars[0] === undefined ? [] : [linkOf(chars[0], around), shiftOf(chars[0], around)];
  for (const [index, char] of chars.entries()) {
    const style = chars[from]?.style;
    const isSpace = char.text === " ";
    const [linkHere, shiftHere] = isSpace ? [link, shift] : [linkOf(char, around), shiftOf(char, around)];
    if (style !== undefined && ((!isSpace && char.style !== style) || linkHere !== link || shiftHere !== shift)) {
      runs.push({ ...style, text, link, shift });
      [from, text, link, shift] = [index, "", linkHere, shiftHere];
    }
    text += char.text;
  }
  const style = chars[from]?.style;
  return style === undefined ? runs : [...runs, { ...style, text, link, shift }];
};

const linkOf = (char: Char, { links }: Around): string | undefined => {
  if (links.length === 0) {
    return undefined;
  }
  const [x, y] = [(char.left + char.right) / 2, char.baseline - 0.3 * char.style.size];
  return links.find(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom)?.address;
};

const shiftOf = ({ style, baseline: own }: Char, { size, baseline }: Around): Run["shift"] => {
  const moved = style.size < SMALL_MAX * size ? (baseline - own) / size : 0;
  return moved > MOVED_MIN ? "above" : moved < -MOVED_MIN ? "below" : undefined;
};

/** Maximum size of a superscript or subscript and its minimum offset, in units of the line's letter size. */
const SMALL_MAX = 0.85;
const MOVED_MIN = 0.08;
