import { mkdir } from "node:fs/promises";
import sharp from "sharp";
import type { Trait } from "../../functions/domain/formats/format.ts";
import { pictureScore } from "../pdf/pictures.ts";
import type { Reading, Sound } from "./read/reading.ts";
import type { Traits } from "./read/traits.ts";

/** How far a result is from its source. */
export interface Difference {
  /** Share of the source's words, cells, cues or entries that are not in the result. 0: none. */
  readonly missing: number;
  /** Some of what is missing. */
  readonly examples: readonly string[];
  /** Pages, pixels, or duration and loudness. 0: the same; 1: nothing in common. Undefined if there is nothing to see. */
  readonly distance?: number;
  /** Features of the source that the result does not have, and those that it has, as far as both are known. */
  readonly lost?: readonly Trait[];
  readonly kept?: readonly Trait[];
}

const EXAMPLES_MAX = 8;

/**
 * @param looks whether the result is expected to look like the source
 * @param isProse whether the tokens are words, which may be hyphenated or joined to others
 */
export const compare = async (
  source: Reading,
  result: Reading,
  { looks, isProse, folder }: { readonly looks: boolean; readonly isProse: boolean; readonly folder: string },
): Promise<Difference> => {
  const absent = missingTokens(source.tokens, result.tokens);
  const missing = isProse ? withoutJoined(absent, source.tokens, result.tokens) : absent;
  const distance = looks ? await distanceOf(source, result, folder) : undefined;
  return {
    missing: source.tokens.length === 0 ? 0 : missing.length / source.tokens.length,
    examples: [...new Set(missing)].slice(0, EXAMPLES_MAX).map((token) => token.slice(0, 60)),
    ...(distance !== undefined && { distance }),
    ...featuresOf(source.traits, result.traits),
  };
};

const featuresOf = (source: Traits = {}, result: Traits = {}): Pick<Difference, "lost" | "kept"> => {
  const features = (Object.keys(source) as Trait[]).filter((trait) => source[trait]);
  const [kept, lost] = [true, false].map((has) => features.filter((trait) => result[trait] === has));
  return { ...(lost?.length && { lost }), ...(kept?.length && { kept }) };
};

/** @returns tokens of the source that the result has less often */
export const missingTokens = (source: readonly string[], result: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const token of result) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return source.filter((token) => {
    const count = counts.get(token) ?? 0;
    counts.set(token, count - 1);
    return count <= 0;
  });
};

/**
 * A word may be hyphenated or joined to the next one. Leaves out words that the text of the result has as often as that
 * of the source, both without spaces.
 */
const withoutJoined = (missing: readonly string[], source: readonly string[], result: readonly string[]): string[] => {
  const [before, after] = missing.length === 0 ? ["", ""] : [source.join(""), result.join("")];
  const counts = Map.groupBy(missing, (token) => token);
  return [...counts].flatMap(([token, copies], index) => {
    const lost = index < JOINED_MAX ? occurrences(before, token) - occurrences(after, token) : copies.length;
    return copies.slice(0, Math.max(0, lost));
  });
};

/** Each word is a search in both texts. */
const JOINED_MAX = 500;

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

const distanceOf = async (source: Reading, result: Reading, folder: string): Promise<number | undefined> => {
  if (source.pdf !== undefined && result.pdf !== undefined) {
    await mkdir(folder, { recursive: true });
    return (await pictureScore(source.pdf, result.pdf, folder)).distance;
  }
  const seen = await picturesDistance(source.pictures ?? [], result.pictures ?? []);
  const heard = source.sound && result.sound ? soundDistance(source.sound, result.sound) : undefined;
  return seen === undefined ? heard : Math.max(seen, heard ?? 0);
};

/** Encoders add some milliseconds of silence. */
const SECONDS_TOLERANCE = 0.15;
const DECIBELS_MAX = 20;

const soundDistance = (source: Sound, result: Sound): number => {
  const seconds = Math.max(0, Math.abs(source.seconds - result.seconds) - SECONDS_TOLERANCE);
  const loudness = Math.abs(source.loudness - result.loudness) / DECIBELS_MAX;
  return Math.min(1, seconds / Math.max(source.seconds, 1) + loudness);
};

const SIDE = 160;

/** A missing picture counts as nothing in common. */
const picturesDistance = async (source: readonly string[], result: readonly string[]): Promise<number | undefined> => {
  if (source.length === 0) {
    return undefined;
  }
  const distances = await Promise.all(
    source.map(async (path, index) => {
      const other = result[index];
      return other === undefined ? 1 : pixelDistance(await pixelsOf(path), await pixelsOf(other));
    }),
  );
  return distances.reduce((sum, value) => sum + value, 0) / distances.length;
};

/** All pictures have the same size, so that a scaled one is compared too; a distorted one differs. */
const pixelsOf = (path: string): Promise<Buffer> =>
  sharp(path, { limitInputPixels: 2 ** 28 })
    .flatten({ background: "white" })
    .toColorspace("srgb")
    .resize(SIDE, SIDE, { fit: "contain", background: "white" })
    .raw()
    .toBuffer();

/** Mean difference of the pixels, as a share of the largest. A gray picture has one channel. */
const pixelDistance = (one: Buffer, other: Buffer): number => {
  const pixels = SIDE * SIDE;
  const [channels, others] = [one.length / pixels, other.length / pixels];
  let sum = 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let color = 0; color < 3; color += 1) {
      const first = one[pixel * channels + Math.min(color, channels - 1)] ?? 0;
      const second = other[pixel * others + Math.min(color, others - 1)] ?? 0;
      sum += Math.abs(first - second);
    }
  }
  return sum / (pixels * 3 * 255);
};
