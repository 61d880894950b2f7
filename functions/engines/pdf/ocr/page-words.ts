import type { PageContent, Rule, TurnedWord, Word } from "../pdfium/content/content.ts";
import { type Frame, framesOf } from "../pdfium/content/frame.ts";
import type { Run } from "../pdfium/layout/model.ts";
import { type Box, median } from "../pdfium/page/geometry.ts";
import type { PixelBox, ReadWord } from "./ocr.ts";
import type { StraightenedPicture } from "./straightened.ts";

/** Words that Tesseract itself doubts: dirt and textures. */
const CONFIDENCE_MIN = 20;
/** Below this median, the "words" of a picture are not text. */
const PAGE_CONFIDENCE_MIN = 40;
const LETTERS_MIN = 2;
/** What a word has, and dirt has not. */
export const SIGN = /[\p{L}\p{N}]/u;
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
  { words: found, lines, photos, turn }: StraightenedPicture,
  scale: number,
): PageContent | undefined => {
  const read = found.filter(isWord);
  const letters = read.map(({ text }) => text).join("");
  const confidence = median(read.map((word) => word.confidence));
  if (letters.length < LETTERS_MIN || !SIGN.test(letters) || confidence < PAGE_CONFIDENCE_MIN) {
    return undefined;
  }
  const sizeOf = sizesOf(read.map(({ size }) => (size * scale) / SIZE_SHARE));
  const words = withBullets(read).map((word, index) =>
    wordOf(word, read[index + 1], { scale, size: sizeOf(word.size * scale) }),
  );
  const drawings = photos.map((photo) => scaled(photo, scale)).filter((photo) => !words.some(overlapping(photo)));
  const rules = lines.map(({ across, ...line }): Rule => ({ across, ...scaled(line, scale), color: LINE_COLOR }));
  const rtl = 2 * words.filter((word) => word.rtl).length > words.length;
  return { ...page, ...asDisplayed(page, turn, { words, drawings, rules }), rtl, scanned: true };
};

type Found = Pick<PageContent, "words" | "drawings" | "rules">;

/** @returns what was found in the upright picture, on the page as displayed */
const asDisplayed = (
  page: PageContent,
  turn: number,
  { words, drawings, rules }: Found,
): Found & Pick<PageContent, "turned"> => {
  const quarters = ((360 - turn) / 90) % 4;
  const frame = framesOf(page)[quarters];
  if (frame === undefined || quarters === 0) {
    return { words, drawings, rules, turned: [] };
  }
  return {
    words: [],
    turned: words.map((word) => ({ ...word, ...frame.leave(word), quarters: quarters as TurnedWord["quarters"] })),
    drawings: drawings.map(frame.leave),
    rules: rules.map((rule) => leftRule(rule, frame)),
  };
};

const leftRule = (rule: Rule, { leave }: Frame): Rule => {
  const { at, from, to } = rule;
  const box = rule.across
    ? { left: from, right: to, top: at, bottom: at }
    : { left: at, right: at, top: from, bottom: to };
  const { left, top, right, bottom } = leave(box);
  const across = right - left > bottom - top;
  return { ...rule, across, ...(across ? { at: top, from: left, to: right } : { at: left, from: top, to: bottom }) };
};

/** What Tesseract reads for a bullet; letters only among other bullets. */
const BULLET = /^[¢©°«»*·•®]$/;
const LIKE_BULLET = /^[eo]$/;

/** @returns the words, with the marks of list items at the start of lines as bullets */
const withBullets = (words: readonly ReadWord[]): readonly ReadWord[] => {
  const startsItem = ({ top, right, size }: ReadWord, index: number): boolean => {
    const [before, next] = [words[index - 1], words[index + 1]];
    return before?.top !== top && next?.top === top && next.left - right > size / 5;
  };
  const isBullet = words.map((word, index) => BULLET.test(word.text) && startsItem(word, index));
  const bullets = words.filter((_, index) => isBullet[index]);
  return words.map((word, index) => {
    const isNear = bullets.some(({ left }) => Math.abs(left - word.left) < word.size / 2);
    const isLike = isNear && LIKE_BULLET.test(word.text) && startsItem(word, index);
    return isBullet[index] || isLike ? { ...word, text: "•" } : word;
  });
};

/** @returns whether it is more than dirt */
export const isWord = ({ text, confidence }: ReadWord): boolean =>
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

const overlapping =
  (one: Box) =>
  (other: Box): boolean =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const scaled = <T extends Record<keyof T, number>>(lengths: T | PixelBox, scale: number): T =>
  Object.fromEntries(Object.entries(lengths).map(([name, length]) => [name, length * scale])) as T;
