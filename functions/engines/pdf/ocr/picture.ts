import type { Sharp } from "sharp";
import { OCR_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { GrayPicture } from "./skew.ts";

/** A picture prepared for recognition: upright. */
export interface OcrPicture extends GrayPicture {
  /** Scale factor relative to the source; 1 except for very large pictures. */
  readonly scale: number;
}

/** Prepares a picture for recognition: upright, on white, grayscale and at most {@link OCR_PIXELS_MAX} pixels. */
export const ocrPicture = async (picture: Sharp): Promise<OcrPicture> => {
  const { width, height } = (await picture.metadata()).autoOrient;
  const scale = Math.min(1, Math.sqrt(OCR_PIXELS_MAX / (width * height)));
  const gray = picture.autoOrient().flatten({ background: "#fff" }).toColourspace("b-w");
  const fitted = scale < 1 ? gray.resize({ width: Math.max(1, Math.floor(width * scale)) }) : gray;
  const { data, info } = await fitted.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, scale };
};
