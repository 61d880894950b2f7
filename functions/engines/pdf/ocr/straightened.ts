import type { PictureReader, ReadPicture } from "./ocr.ts";
import { type GrayPicture, rotated, skewOf } from "./skew.ts";
import { type PixelLine, withoutLines } from "./straight-lines.ts";

/** Text recognized in a skewed picture. Positions are those in the picture rotated clockwise around its center. */
export interface StraightenedPicture extends ReadPicture {
  readonly degrees: number;
  readonly lines: readonly PixelLine[];
}

/** Resolution in dots per inch of a picture that does not say it. */
const DPI = 300;

/** Straightens a scan, and reads its lines, then its text. */
export const readStraightened = async (
  reader: PictureReader,
  picture: GrayPicture,
  dpi?: number,
): Promise<StraightenedPicture> => {
  const degrees = await skewOf(picture);
  const { lines, picture: letters } = withoutLines(await rotated(picture, degrees), dpi ?? DPI);
  return { ...(await reader.readPicture(letters, dpi)), degrees, lines };
};
