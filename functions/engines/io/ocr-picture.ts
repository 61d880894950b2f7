import type { Sharp } from "sharp";
import { OCR_PIXELS_MAX } from "../../domain/conversion-limits.ts";

/** A picture as it is read: a grey PNG, upright. */
export interface OcrPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** How many times as large as the source it is; 1 but for huge ones. */
  readonly scale: number;
}

/** Makes a picture ready to be read: upright, on white, grey, and not larger than {@link OCR_PIXELS_MAX}. */
export const ocrPicture = async (picture: Sharp): Promise<OcrPicture> => {
  const { width, height } = (await picture.metadata()).autoOrient;
  const scale = Math.min(1, Math.sqrt(OCR_PIXELS_MAX / (width * height)));
  const grey = picture.autoOrient().flatten({ background: "#fff" }).toColourspace("b-w");
  const fitted = scale < 1 ? grey.resize({ width: Math.max(1, Math.floor(width * scale)) }) : grey;
  const { data, info } = await fitted.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, scale };
};
