import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { run } from "./tools.ts";

/** How far the pages of a result look like the pages of the source. */
export interface PictureScore {
  /** 0: the same ink in the same places; 1: nothing in common. */
  readonly distance: number;
  /** Mean structural similarity of the areas with ink, at most 1. */
  readonly similarity: number;
  /** Pages of the result minus pages of the source. */
  readonly pages: number;
}

const DPI = 50;
const BLUR = 1.5;
const PAGES_MAX = 10;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Darkness of each pixel, 0 to 255. */
  readonly ink: Uint8Array;
}

/** Compares the first pages of two PDFs as gray pictures, slightly blurred. A missing page counts as a blank one. */
export const pictureScore = async (source: string, result: string, folder: string): Promise<PictureScore> => {
  const [before, after] = [
    await picturesOf(source, join(folder, "source")),
    await picturesOf(result, join(folder, "result")),
  ];
  const count = Math.max(before.length, after.length);
  const blank: Picture = { width: 1, height: 1, ink: new Uint8Array(1) };
  const scores = Array.from({ length: count }, (_, index) => compared(before[index] ?? blank, after[index] ?? blank));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    distance: mean(scores.map(({ distance }) => distance)),
    similarity: mean(scores.map(({ similarity }) => similarity)),
    pages: (await pageCount(result)) - (await pageCount(source)),
  };
};

export const pageCount = async (pdf: string): Promise<number> =>
  Number(/^Pages:\s+(\d+)/mu.exec(await run("pdfinfo", [pdf]))?.[1] ?? 0);

const picturesOf = async (pdf: string, folder: string): Promise<Picture[]> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run("pdftoppm", [
    "-cropbox",
    "-r",
    String(DPI),
    "-l",
    String(PAGES_MAX),
    "-gray",
    "-png",
    pdf,
    join(folder, "page"),
  ]);
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const image = sharp(join(folder, name)).flatten({ background: "white" }).blur(BLUR).grayscale().negate();
      const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, ink: data };
    }),
  );
};

const compared = (one: Picture, other: Picture): { distance: number; similarity: number } => {
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)];
  const at = (picture: Picture, x: number, y: number): number =>
    x < picture.width && y < picture.height ? (picture.ink[y * picture.width + x] ?? 0) : 0;
  let [difference, total] = [0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [first, second] = [at(one, x, y), at(other, x, y)];
      difference += Math.abs(first - second);
      total += first + second;
    }
  }
  const similarities: number[] = [];
  for (let y = 0; y < height; y += WINDOW) {
    for (let x = 0; x < width; x += WINDOW) {
      const value = similarity((dx, dy) => [at(one, x + dx, y + dy), at(other, x + dx, y + dy)]);
      similarities.push(...(value === undefined ? [] : [value]));
    }
  }
  const mean = similarities.reduce((sum, value) => sum + value, 0) / Math.max(1, similarities.length);
  return { distance: total === 0 ? 0 : difference / total, similarity: similarities.length === 0 ? 1 : mean };
};

const WINDOW = 8;
const INK_MIN = 2;
/** Constants of the structural similarity (Wang et al. 2004) for values to 255. */
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

/** @returns the structural similarity of a window; undefined if both are blank */
const similarity = (pixels: (x: number, y: number) => readonly [number, number]): number | undefined => {
  const count = WINDOW * WINDOW;
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const [first, second] = pixels(index % WINDOW, Math.floor(index / WINDOW));
    a += first;
    b += second;
    aa += first * first;
    bb += second * second;
    ab += first * second;
  }
  if (a + b < INK_MIN * count) {
    return undefined;
  }
  const [meanA, meanB] = [a / count, b / count];
  const [varianceA, varianceB] = [aa / count - meanA ** 2, bb / count - meanB ** 2];
  const covariance = ab / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (varianceA + varianceB + C2))
  );
};
