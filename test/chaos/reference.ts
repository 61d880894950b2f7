import sharp from "sharp";
import { detectFormat } from "../../functions/domain/formats/detect.ts";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import type { Recipe } from "./recipes.ts";

/** What comes of a recipe where nothing is wrong; under chaos the same must come of it. */
export interface Reference {
  readonly recipe: Recipe;
  readonly status: JobView["status"];
  readonly code: string | undefined;
  readonly content: Content | undefined;
}

/** What a result is, as far as two conversions of the same file must agree: times and ids in a file may differ. */
export interface Content {
  readonly format: string;
  readonly bytes: number;
  readonly picture: string;
}

/** A document holds the time of its making, compressed. */
const SIZE_SHARE = 0.02;

/** @returns what the bytes are; it opens pictures */
export const contentOf = async (bytes: Buffer, filename: string): Promise<Content> => ({
  format: detectFormat(bytes, { tail: bytes.subarray(-65_536), filename }) ?? "",
  bytes: bytes.length,
  picture: /\.(?:png|jpg|webp|gif)$/.test(filename) ? await drawn(bytes) : "",
});

/** Decodes all of it: metadata alone would be read of a file that is cut off. */
const drawn = async (bytes: Buffer): Promise<string> => {
  const { info } = await sharp(bytes, { failOn: "warning", pages: -1 }).raw().toBuffer({ resolveWithObject: true });
  return `${info.width} × ${info.height} × ${info.channels}`;
};

/** @returns whether the two are the same as far as they must be */
export const isSame = (one: Content, other: Content): boolean =>
  one.format === other.format &&
  one.picture === other.picture &&
  Math.abs(one.bytes - other.bytes) <= Math.max(16, SIZE_SHARE * other.bytes);
