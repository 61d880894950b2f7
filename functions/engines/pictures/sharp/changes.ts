import type { OverlayOptions, ResizeOptions, Sharp } from "sharp";
import type { Options } from "../../../domain/conversions/options.ts";
import { areaOf, turnedSize } from "../../../domain/conversions/picture-changes.ts";
import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import { type StampAt, watermarkOf } from "./watermark.ts";

/** The changes of an image, or of each frame of an animation, that its options ask for. */
export interface Changes {
  readonly options: Options;
  /** The upright size of the source. */
  readonly source: PictureSize;
  readonly watermark: OverlayOptions | undefined;
}

/**
 * @param sizes.source the upright size of the source
 * @param sizes.result the size after resizing
 * @param sizes.stamp the image that is the watermark, if it is not a text
 */
export const changesOf = async (
  options: Options,
  { source, result, stamp }: { source: PictureSize; result: PictureSize; stamp: StampAt | undefined },
): Promise<Changes> => ({ options, source, watermark: await watermarkOf(options, result, stamp) });

/**
 * Sets up the changes of one image. The order is that of libvips, whichever order they are called in: flip, rotate, crop,
 * resize, blur, sharpen, watermark.
 */
export const changed = (
  picture: Sharp,
  { options, source, watermark }: Changes,
  resize: ResizeOptions | undefined,
): Sharp => {
  const { flip, rotate, crop, blur, sharpen } = options;
  picture.flip(flip === "vertical" || flip === "both").flop(flip === "horizontal" || flip === "both");
  if (rotate !== undefined) {
    picture.rotate(rotate);
  }
  if (crop !== undefined) {
    picture.extract(areaOf(crop, turnedSize(source, rotate)));
  }
  if (resize !== undefined) {
    picture.resize(resize);
  }
  if (blur !== undefined) {
    picture.blur(blur);
  }
  if (sharpen !== undefined) {
    picture.sharpen({ sigma: sharpen });
  }
  return watermark === undefined ? picture : picture.composite([watermark]);
};
