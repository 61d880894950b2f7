import sharp from "sharp";
import { OCR_PIXELS_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { withPictureReader } from "../../ocr/ocr.ts";
import { paperOf, renderPage } from "./bitmap.ts";
import { type PdfDocument, withPage } from "./document.ts";

/** Resolution (dpi) at which a page is rendered for text recognition. */
const DPI = 300;
const POINTS_PER_INCH = 72;

export interface Reading {
  /** Values of the option `ocr_language`. @default English */
  readonly languages?: string | undefined;
  readonly progress: (share: number) => void;
}

/**
 * Recognizes the text of pages that contain only pictures.
 *
 * @returns the text of each page by page number; pages that cannot be rendered are missing
 * @throws JobError `too_many_pages`
 */
export const readScans = async (
  document: PdfDocument,
  numbers: readonly number[],
  { progress, languages }: Reading,
): Promise<ReadonlyMap<number, string>> => {
  const texts = new Map<number, string>();
  if (numbers.length === 0) {
    return texts;
  }
  await withPictureReader(async (reader) => {
    for (const [index, number] of numbers.entries()) {
      const scan = await drawn(document, number);
      if (scan !== undefined) {
        texts.set(number, (await reader.readPicture(scan.picture, scan.dpi)).text.trim());
      }
      progress((index + 1) / numbers.length);
    }
  }, languages);
  return texts;
};

const drawn = async (document: PdfDocument, number: number) => {
  const bitmap = await withPage(document, number, (page) => {
    const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(OCR_PIXELS_MAX / (page.width * page.height)));
    const [width, height] = [page.width, page.height].map((points) => Math.max(1, Math.floor(points * scale)));
    return renderPage(page, { width: width ?? 1, height: height ?? 1, paper: paperOf("#fff", false) });
  });
  if (bitmap === undefined) {
    return undefined;
  }
  const { data, width, height, channels, dpi } = bitmap;
  const picture = await sharp(data, { raw: { width, height, channels }, limitInputPixels: OCR_PIXELS_MAX })
    .toColourspace("b-w")
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { picture, dpi };
};
