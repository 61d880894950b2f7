import type { ReadWord } from "../../pdf/ocr/ocr.ts";

/** The words of a page, in pixels of its image. */
export interface PageWords {
  readonly width: number;
  readonly height: number;
  readonly words: readonly ReadWord[];
}

const PAGE = /^\(page (\d+) (\d+) (\d+) (\d+)/gm;
/** A word, or a larger part whose text is not divided. */
const PART = /\((?:word|line|para|region|column|page) (\d+) (\d+) (\d+) (\d+)\s+"((?:[^"\\]|\\[\s\S])*)"/g;

/** Position of the baseline above the lower edge, as a share of the height. */
const DESCENT = 0.2;

/** @returns the words of each page, as `djvutxt --detail=word` prints them: boxes from the lower left corner */
export const wordsOf = (printed: string): PageWords[] => {
  const starts = [...printed.matchAll(PAGE)];
  return starts.map((start, index) => {
    const [, left = "", bottom = "", right = "", top = ""] = start;
    const [width, height] = [Number(right) - Number(left), Number(top) - Number(bottom)];
    const text = printed.slice(start.index, starts[index + 1]?.index);
    const words = [...text.matchAll(PART)].map((part) => wordOf(part, height));
    return { width: Math.max(1, width), height: Math.max(1, height), words };
  });
};

const wordOf = ([, left, low, right, high, text = ""]: RegExpExecArray, height: number): ReadWord => {
  const [top, bottom] = [height - Number(high), height - Number(low)];
  return {
    text: unescaped(text),
    left: Number(left),
    right: Number(right),
    top,
    bottom,
    baseline: bottom - DESCENT * (bottom - top),
    size: bottom - top,
    confidence: 100,
  };
};

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\([\s\S])/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
