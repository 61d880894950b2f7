import type { PageContent, Rule, Word } from "../pdfium/content/content.ts";
import type { Run } from "../pdfium/layout/model.ts";
import { type Box, median } from "../pdfium/page/geometry.ts";
import type { PixelBox, ReadWord } from "./ocr.ts";
import type { StraightenedPicture } from "./straightened.ts";

/** Words that Tesseract itself doubts: dirt and textures. */
const CONFIDENCE_MIN = 20;
/** Below this median, the "words" of a picture are not text. */
const PAGE_CONFIDENCE_MIN = 40;
const LETTERS_MIN = 2;
const SIGN = /[\p{L}\p{N}]/u;
const RTL = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u;

/** Tesseract's height of letters, as a share of the font size. */
const SIZE_SHARE = 0.92;
/** Ascent and descent of common fonts, as shares of the font size. */
const [ASCENT, DESCENT] = [0.9, 0.21];
/** Lines whose measured sizes differ by less than this factor have one size. */
const SAME_SIZE = 1.13;
/** Recognition does not report the font. */
const FONT = { font: "Arial", serif: false, bold: false, italic: false, mono: false, color: "000000" } as const;

const LINE_COLOR = "000000";

/**
 * @param scale points per pixel
 * @returns the page with the recognized words and lines; undefined if the picture has no text
 */
export const withReadWords = (
  page: PageContent,
  { words: found, lines, photos }: StraightenedPicture,
  scale: number,
): PageContent | undefined => {
  const read = found.filter(isWord);
  const letters = read.map(({ text }) => text).join("");
  const confidence = median(read.map((word) => word.confidence));
  if (letters.length < LETTERS_MIN || !SIGN.test(letters) || confidence < PAGE_CONFIDENCE_MIN) {
    return undefined;
  }
  const sizeOf = sizesOf(read.map(({ size }) => (size * scale) / SIZE_SHARE));
  const words = read.map(
    (word, index): Word => wordOf(word, read[index + 1], { scale, size: sizeOf(word.size * scale) }),
  );
  const isFree = (box: Box): boolean => !words.some((word) => overlaps(word, box));
  return {
    ...page,
    words,
    turned: [],
    rules: lines.map(({ across, ...line }): Rule => ({ across, ...scaled(line, scale), color: LINE_COLOR })),
    drawings: photos.map((photo) => scaled(photo, scale)).filter(isFree),
    rtl: 2 * words.filter(({ rtl }) => rtl).length > words.length,
    scanned: true,
  };
};

const isWord = ({ text, confidence }: ReadWord): boolean =>
  text !== "" && confidence >= (SIGN.test(text) ? CONFIDENCE_MIN : 3 * CONFIDENCE_MIN);

const wordOf = (
  { text, left, right, top, baseline: base }: ReadWord,
  next: ReadWord | undefined,
  { scale, size }: { scale: number; size: number },
): Word => {
  const baseline = base * scale;
  const sameLine = next?.top === top;
  const run: Run = { text, size, ...FONT };
  return {
    text,
    runs: [run],
    ...{ left: left * scale, right: right * scale },
    ...{ top: baseline - ASCENT * size, bottom: baseline + DESCENT * size },
    baseline,
    size,
    rtl: RTL.test(text),
    spaced: !(sameLine && UNSPACED.test(text) && UNSPACED.test(next.text)),
  };
};

/**
 * The measured size of a line depends on its letters, so similar sizes become one, beginning with the most frequent.
 *
 * @param sizes points, one for each word
 * @returns a function that returns the size of a line in half points
 */
const sizesOf = (sizes: readonly number[]): ((height: number) => number) => {
  const groups: number[] = [];
  let rest = sizes;
  while (rest.length > 0) {
    const middle = median(rest);
    groups.push(middle);
    rest = rest.filter((size) => !isSame(size, middle));
  }
  return (height) => {
    const size = height / SIZE_SHARE;
    return Math.max(1, Math.round(2 * (groups.find((group) => isSame(size, group)) ?? size)) / 2);
  };
};

const isSame = (one: number, other: number): boolean => Math.max(one, other) <= SAME_SIZE * Math.min(one, other);

const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const scaled = <T extends Record<keyof T, number>>(lengths: T | PixelBox, scale: number): T =>
  Object.fromEntries(Object.entries(lengths).map(([name, length]) => [name, length * scale])) as T;
