import { OCR_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { OCR_LANGUAGE } from "./languages.ts";
import { withProgramReader } from "./program.ts";

/** A recognized word and its position: pixels from the left and from the top. */
export interface ReadWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Height of the complete line, so that all words of a line share one height. */
  readonly top: number;
  readonly bottom: number;
  /** Position of the line's baseline at the left edge of the word. */
  readonly baseline: number;
}

/** Text recognized in a picture. */
export interface ReadPicture {
  /** Lines end with one line feed, paragraphs with two. */
  readonly text: string;
  readonly words: readonly ReadWord[];
  /** Confidence, 0 to 100. */
  readonly confidence: number;
}

export interface PictureReader {
  /**
   * Reads the text in a picture.
   *
   * @param picture an encoded PNG or JPEG, upright; grayscale is enough. 300 dpi gives the best results, below 150 dpi
   * recognition is poor
   * @param dpi resolution of the picture, if known
   * @throws JobError `too_many_pages` after {@link OCR_PAGES_MAX} pictures
   */
  readPicture(picture: Uint8Array, dpi?: number): Promise<ReadPicture>;
}

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
  };
};
