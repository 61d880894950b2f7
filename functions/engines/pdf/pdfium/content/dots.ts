import type { Box } from "../page/geometry.ts";
import type { Word } from "./content.ts";
import type { Dot } from "./shapes.ts";

/** Distance of a list mark from its text, in units of the letter size. */
const DISTANCE_MAX = 3;
const DOTS_MAX = 300;

/** The words of a page with the marks of lists that are drawn as shapes, and the shapes that are none. */
export interface Marked {
  readonly words: readonly Word[];
  readonly others: readonly Box[];
}

/** Finds dots at the left of a line of text. @param words text that is upright */
export const withDots = (words: readonly Word[], dots: readonly Dot[]): Marked => {
  if (dots.length === 0 || dots.length > DOTS_MAX) {
    return { words, others: dots };
  }
  const marks = new Map<Word, Dot>();
  const others: Box[] = [];
  for (const dot of dots) {
    const word = wordAfter(dot, words);
    word === undefined || marks.has(word) ? others.push(dot) : marks.set(word, dot);
  }
  const marked = words.flatMap((word) => {
    const dot = marks.get(word);
    return dot === undefined ? [word] : [markFrom(dot, word), word];
  });
  return { words: marked, others };
};

const wordAfter = (dot: Dot, words: readonly Word[]): Word | undefined => {
  const middle = (dot.top + dot.bottom) / 2;
  const line = words.filter(({ baseline, size }) => middle < baseline && middle > baseline - 0.75 * size);
  const near = line.filter(
    ({ left, right, size }) => left < dot.right + DISTANCE_MAX * size && right > dot.left - DISTANCE_MAX * size,
  );
  const first = near.toSorted((one, other) => one.left - other.left)[0];
  // In lists that read from right to left the dot is at the right.
  const last = near.toSorted((one, other) => other.right - one.right)[0];
  if (first !== undefined && first.left >= dot.right && dot.right - dot.left < 0.8 * first.size) {
    return first;
  }
  return last?.rtl === true && last.right <= dot.left ? last : undefined;
};

const markFrom = ({ left, top, right, bottom, filled, square }: Dot, { runs, ...word }: Word): Word => {
  const text = square ? "▪" : filled ? "•" : "◦";
  const style = runs[0];
  const plain = style === undefined ? [] : [{ ...style, text, link: undefined, shift: undefined, size: word.size }];
  return { ...word, text, runs: plain, left, top, right, bottom, spaced: true, tag: undefined };
};
