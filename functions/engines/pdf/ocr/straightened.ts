import { median } from "../pdfium/page/geometry.ts";
import { withMissedWords } from "./missed-words.ts";
import type { PictureReader, ReadPicture } from "./ocr.ts";
import { type GrayPicture, rotated, sharpOf, skewOf } from "./skew.ts";
import { type PixelLine, withoutLines } from "./straight-lines.ts";

/**
 * Text recognized in a turned or skewed picture. Positions are those in the upright picture: turned clockwise, then rotated
 * clockwise around its center.
 */
export interface StraightenedPicture extends ReadPicture {
  /** 0, 90, 180 or 270. */
  readonly turn: number;
  readonly degrees: number;
  readonly lines: readonly PixelLine[];
}

/** Resolution in dots per inch of a picture that does not say it. */
const DPI = 300;
/** Median confidence below which a picture may be upside down. */
const CONFIDENCE_MIN = 50;

/** Straightens a scan, and reads its lines, then its text. */
export const readStraightened = async (
  reader: PictureReader,
  picture: GrayPicture,
  dpi?: number,
): Promise<StraightenedPicture> => {
  const first = await readSkewed(reader, picture, dpi);
  const { words, sideways } = first.read;
  const doubtful = words.length > 0 && median(words.map((word) => word.confidence)) < CONFIDENCE_MIN;
  const turn = sideways || doubtful ? await reader.turnOf(picture) : 0;
  const { read, letters, degrees, lines } =
    turn === 0 ? first : await readSkewed(reader, await turned(picture, turn), dpi);
  return { ...(await withMissedWords(reader, letters, read, dpi)), degrees, lines, turn };
};

interface Skewed extends Pick<StraightenedPicture, "degrees" | "lines"> {
  readonly read: ReadPicture;
  /** The picture without lines. */
  readonly letters: GrayPicture;
}

const readSkewed = async (reader: PictureReader, picture: GrayPicture, dpi?: number): Promise<Skewed> => {
  const degrees = await skewOf(picture);
  const { lines, picture: letters } = withoutLines(await rotated(picture, degrees), dpi ?? DPI);
  return { read: await reader.readPicture(letters, dpi), letters, degrees, lines };
};

const turned = async (picture: GrayPicture, degrees: number): Promise<GrayPicture> => {
  const made = sharpOf(picture).rotate(degrees).toColourspace("b-w").raw();
  const { data, info } = await made.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};
