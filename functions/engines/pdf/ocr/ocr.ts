import { OCR_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import { OCR_LANGUAGE } from "./languages.ts";
import { withProgramReader } from "./program.ts";
import type { GrayPicture } from "./skew.ts";

/** Pixels from the left and from the top. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A recognized word. Its top and bottom are those of the complete line, so that all words of a line share one height. */
export interface ReadWord extends PixelBox {
  readonly text: string;
  /** Position of the line's baseline at the left edge of the word. */
  readonly baseline: number;
  /** Height of the line's letters with ascenders and descenders, in pixels. */
  readonly size: number;
  /** 0 to 100. */
  readonly confidence: number;
}

/** Text recognized in a picture. */
export interface ReadPicture {
  /** Lines end with one line feed, paragraphs with two. */
  readonly text: string;
  readonly words: readonly ReadWord[];
  /** Areas of photos and drawings. */
  readonly photos: readonly PixelBox[];
  /** Whether most words read sideways: the page itself is turned. */
  readonly sideways: boolean;
}

export interface PictureReader {
  /**
   * Reads the text in a picture.
   *
   * @param picture upright. 300 dpi gives the best results, below 150 dpi recognition is poor
   * @param dpi resolution of the picture, if known
   * @throws JobError `too_many_pages` after {@link OCR_PAGES_MAX} pictures
   */
  readPicture(picture: GrayPicture, dpi?: number): Promise<ReadPicture>;
  /**
   * Reads the text in what is left of a picture after {@link PictureReader.readPicture}, as one block. It does not count.
   *
   * @throws JobError `timed_out` after 15 s
   */
  readRest(rest: GrayPicture, dpi?: number): Promise<ReadPicture>;
  /** @returns the degrees by which the picture must be turned clockwise to be upright: 0, 90, 180 or 270 */
  turnOf(picture: GrayPicture): Promise<number>;
}

/** @returns whether the options request text recognition, for a target that is a PDF */
export const isOcrOn = ({ ocr = "off" }: Options): boolean => ocr !== "off";

/**
 * Returns a reader of text in pictures that runs the program Tesseract. A page takes some seconds. Nothing is
 * downloaded.
 *
 * @param languages values of the option `ocr_language`
 * @throws JobError `unsupported_feature` for a language that is not installed
 */
export const withPictureReader = <T>(
  use: (reader: PictureReader) => Promise<T>,
  languages = OCR_LANGUAGE,
): Promise<T> => withProgramReader(languages, (reader) => use(counted(reader)));

/** @returns the reader; it rejects more than {@link OCR_PAGES_MAX} pictures */
const counted = (reader: PictureReader): PictureReader => {
  let pages = 0;
  return {
    readPicture: async (picture, dpi) => {
      pages += 1;
      if (pages > OCR_PAGES_MAX) {
        const detail = `Text recognition is limited to ${OCR_PAGES_MAX} pages per job.`;
        throw new JobError("too_many_pages", `${detail} If available, use the option \`pages\` to select fewer.`);
      }
      return reader.readPicture(picture, dpi);
    },
    readRest: reader.readRest,
    turnOf: async (picture) => {
      const degrees = await reader.turnOf(picture);
      // The page is read again, and counts once.
      pages -= degrees === 0 ? 0 : 1;
      return degrees;
    },
  };
};
