import { JobError } from "../errors.ts";
import type { Options } from "./options.ts";
import type { PictureSize } from "./picture-sizes.ts";

/** A rectangle in an image, in pixels. */
export interface PictureArea extends PictureSize {
  readonly left: number;
  readonly top: number;
}

/** The options that change which part of the source is where, before it is resized. */
type Placing = Pick<Options, "crop" | "flip" | "rotate">;

/** @returns whether pixels change their place, or depend on those around them, so each frame needs its own operation */
export const changesFrames = ({ crop, flip, rotate, blur, sharpen, ...options }: Options): boolean =>
  [crop, flip, rotate, blur, sharpen, options.watermark_text, options.watermark_upload_id].some(
    (option) => option !== undefined,
  );

/**
 * @returns the size of the image after `rotate` and `crop`, before it is resized
 * @throws JobError `unsupported_feature` when the area to keep is not in the image
 */
export const placedSize = (size: PictureSize, { rotate, crop }: Placing): PictureSize => {
  const turned = turnedSize(size, rotate);
  return crop === undefined ? turned : areaOf(crop, turned);
};

/** @returns the size of the image after `rotate` */
export const turnedSize = ({ width, height }: PictureSize, rotate: Options["rotate"]): PictureSize =>
  rotate === 90 || rotate === 270 ? { width: height, height: width } : { width, height };

/**
 * @param crop the option
 * @param size the size of the upright and rotated image
 * @returns the area to keep, of at least one pixel
 * @throws JobError `unsupported_feature` when a part of it is not in the image
 */
export const areaOf = (crop: string, size: PictureSize): PictureArea => {
  const [left = 0, top = 0, width = 0, height = 0] = crop
    .split(",")
    .map((length, index) => pixelsOf(length, index % 2 === 0 ? size.width : size.height));
  const area = { left, top, width: Math.max(1, width), height: Math.max(1, height) };
  if (left + area.width > size.width || top + area.height > size.height) {
    throw new JobError(
      "unsupported_feature",
      `The image has ${size.width} × ${size.height} pixels. \`crop\` asks for ${area.width} × ${area.height} at ${left}, ${top}, ` +
        "which is not completely inside.",
      { isFinal: true },
    );
  }
  return area;
};

const pixelsOf = (length: string, side: number): number =>
  length.endsWith("%") ? Math.floor((Number(length.slice(0, -1)) * side) / 100) : Number(length);

/** @returns the options of each of the `sizes`, by name */
export const sizedOptions = ({ sizes = "", ...options }: Options): readonly (readonly [string, Options])[] =>
  [...new Set(sizes.split(","))].map((name) => {
    const [width, height] = name.split("x").map(Number);
    return [name, { ...options, width, height }];
  });
