import sharp from "sharp";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import type { Recipe } from "../recipes.ts";

/** The result of a recipe without faults; with faults it must be the same. */
export interface Reference {
  readonly recipe: Recipe;
  readonly status: JobView["status"];
  readonly code: string | undefined;
  readonly content: Content | undefined;
}

/** The properties in which two conversions of the same file must agree: times and IDs in a file may differ. */
export interface Content {
  readonly format: string;
  readonly bytes: number;
  readonly picture: string;
}

/** A document contains its creation time, compressed. */
const SIZE_SHARE = 0.02;

/** @returns the properties of the bytes; images are opened */
export const contentOf = async (bytes: Buffer, filename: string): Promise<Content> => ({
  format: detectFormat(bytes, { tail: bytes.subarray(-65_536), filename }) ?? "",
  bytes: bytes.length,
  picture: /\.(?:png|jpg|webp|gif)$/.test(filename) ? await drawn(bytes) : "",
});

/** Decodes everything: metadata alone can also be read from a truncated file. */
const drawn = async (bytes: Buffer): Promise<string> => {
  const { info } = await sharp(bytes, { failOn: "warning", pages: -1 }).raw().toBuffer({ resolveWithObject: true });
  return `${info.width} × ${info.height} × ${info.channels}`;
};

/** @returns whether the two agree as far as required */
export const isSame = (one: Content, other: Content): boolean =>
  one.format === other.format &&
  one.picture === other.picture &&
  Math.abs(one.bytes - other.bytes) <= Math.max(16, SIZE_SHARE * other.bytes);
