import { JobError } from "../../../domain/errors.ts";
import { median } from "../pdfium/page/geometry.ts";
import type { PictureReader, PixelBox, ReadPicture, ReadWord } from "./ocr.ts";
import { isWord, SIGN } from "./page-words.ts";
import { DARK, type GrayPicture } from "./skew.ts";

/**
 * Words that Tesseract left out. It takes a column of short numbers for something between columns of text; when nothing
 * else is in the picture, it reads them.
 */

/** White pixels around words that were read. */
const MARGIN = 2;
/** Share of a square of the letter size that is dark if there is a part of a letter. */
const INK_MIN = 0.05;
/** Share of the squares that have ink: more are a picture. */
const SHARE_MAX = 0.1;
/** Pixels at least as bright as this are paper. */
const PAPER = 190;
/** Confidence of a word that is not dirt or a drawing. */
const CONFIDENCE_MIN = 60;
/** Share of the letter size that is at least between words. */
const SPACE_MIN = 0.1;

/** @returns what was read, with the words that are found in a picture of the rest, if there is enough ink left */
export const withMissedWords = async (
  reader: PictureReader,
  picture: GrayPicture,
  read: ReadPicture,
  dpi?: number,
): Promise<ReadPicture> => {
  const rest = read.words.length === 0 || read.sideways ? undefined : restOf(picture, read);
  const found = rest === undefined ? [] : await readRest(reader, rest, dpi);
  const kept = read.words.filter(isWord);
  const words = found.filter((word) => isSure(word) && !kept.some((other) => isJoined(word, other)));
  return words.length === 0
    ? read
    : { ...read, words: [...read.words, ...words], text: `${read.text.trimEnd()}\n\n${linesOf(words)}\n` };
};

/** Drawings and dirt can take the program too long: what was read before is complete without them. */
const readRest = async (reader: PictureReader, rest: GrayPicture, dpi?: number): Promise<readonly ReadWord[]> => {
  try {
    return (await reader.readRest(rest, dpi)).words;
  } catch (error) {
    if (error instanceof JobError && error.code === "timed_out") {
      return [];
    }
    throw error;
  }
};

const isSure = ({ text, confidence }: ReadWord): boolean => SIGN.test(text) && confidence >= CONFIDENCE_MIN;

/** Whether the word is so close to one that was read that it is its letter, outside of an inaccurate box. */
const isJoined = (word: ReadWord, { left, top, right, bottom, size }: ReadWord): boolean =>
  Math.min(bottom, word.bottom) - Math.max(top, word.top) > (word.bottom - word.top) / 2 &&
  Math.max(left, word.left) - Math.min(right, word.right) < SPACE_MIN * size;

const linesOf = (words: readonly ReadWord[]): string =>
  [...Map.groupBy(words, ({ top }) => top).values()].map((line) => line.map(({ text }) => text).join(" ")).join("\n");

/** @returns the squares that have ink outside of the words and photos, on white; undefined if that is not text */
const restOf = (picture: GrayPicture, { words, photos }: ReadPicture): GrayPicture | undefined => {
  const side = Math.max(8, Math.round(median(words.map(({ size }) => size))));
  const data = Uint8Array.from(picture.data);
  for (const box of [...words.filter(isWord), ...photos]) {
    whiten(data, picture, grown(box, MARGIN));
  }
  const rest = { ...picture, data };
  const [columns, rows] = [Math.ceil(picture.width / side), Math.ceil(picture.height / side)];
  const inky = inkyIn(rest, side, columns);
  if (inky.size === 0 || inky.size > SHARE_MAX * columns * rows) {
    return undefined;
  }
  // The noise of the paper would be read as letters where there are none.
  for (let at = 0; at < data.length; at += 1) {
    if ((data[at] ?? 0) >= PAPER) {
      data[at] = 255;
    }
  }
  for (let index = 0; index < columns * rows; index += 1) {
    const [x, y] = [index % columns, Math.floor(index / columns)];
    const isNear = [-1, 0, 1].some((down) =>
      [-1, 0, 1].some((right) => x + right >= 0 && x + right < columns && inky.has(index + down * columns + right)),
    );
    if (!isNear) {
      whiten(data, picture, { left: x * side, top: y * side, right: (x + 1) * side, bottom: (y + 1) * side });
    }
  }
  return rest;
};

const grown = ({ left, top, right, bottom }: PixelBox, by: number): PixelBox => ({
  ...{ left: left - by, top: top - by, right: right + by, bottom: bottom + by },
});

const whiten = (data: Uint8Array, { width, height }: GrayPicture, { left, top, right, bottom }: PixelBox): void => {
  for (let row = Math.max(0, top); row < Math.min(height, bottom); row += 1) {
    data.fill(255, row * width + Math.max(0, left), row * width + Math.max(0, Math.min(width, right)));
  }
};

/** @returns the numbers of the squares with ink, row by row */
const inkyIn = ({ data, width, height }: GrayPicture, side: number, columns: number): ReadonlySet<number> => {
  const dark = new Map<number, number>();
  for (let row = 0; row < height; row += 1) {
    const first = Math.floor(row / side) * columns;
    for (let at = 0; at < width; at += 1) {
      if ((data[row * width + at] ?? 255) < DARK) {
        const square = first + Math.floor(at / side);
        dark.set(square, (dark.get(square) ?? 0) + 1);
      }
    }
  }
  return new Set([...dark].filter(([, count]) => count >= INK_MIN * side * side).map(([square]) => square));
};
