import { type PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";
import type { ReadWord } from "../io/ocr.ts";

/** Writes words that are not seen but found, selected and copied, over pictures of them. */
export interface TextLayer {
  /**
   * @param matrix from the pixels of the picture that was read, counted from its lower left corner, to the page
   * @param height of that picture, in pixels
   */
  write(page: PDFPage, words: readonly ReadWord[], place: { matrix: Matrix; height: number }): void;
}

/** The six numbers of a PDF's transformation (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** Every reader has this font, so it is not embedded; nobody sees it. It has the letters of Windows-1252. */
export const textLayer = async (document: PDFDocument): Promise<TextLayer> => {
  const font = await document.embedFont(StandardFonts.Helvetica);
  const letters = new Set(font.getCharacterSet());
  const known = (text: string): string =>
    Array.from(text)
      .filter((letter) => letters.has(letter.codePointAt(0) ?? 0))
      .join("");
  return {
    write: (page, words, { matrix, height }) => {
      const shown = words.map((word) => ({ ...word, text: known(word.text) })).filter(({ text }) => text !== "");
      if (shown.length > 0) {
        const name = page.node.newFontDictionary("Read", font.ref);
        const lines = shown.map((word) => wordCode(word, { font, height }));
        append(page, `q ${numbers(matrix)} cm BT 3 Tr\n${lines.join("\n").replaceAll("/F", name.toString())}\nET Q`);
      }
    },
  };
};

/** Letters that are as high as their line would touch the next one's. */
const LINE_SHARE = 0.9;

const wordCode = (
  { text, left, right, top, bottom, baseline }: ReadWord,
  { font, height }: { font: PDFFont; height: number },
): string => {
  const size = Math.max(1, (bottom - top) * LINE_SHARE);
  const stretch = (100 * Math.max(1, right - left)) / Math.max(0.01, font.widthOfTextAtSize(text, size));
  const place = numbers([1, 0, 0, 1, left, height - baseline]);
  return `/F ${numbers([size])} Tf ${numbers([stretch])} Tz ${place} Tm ${font.encodeText(text)} Tj`;
};

const numbers = (values: readonly number[]): string => values.map((value) => Number(value.toFixed(4))).join(" ");

/** Puts code behind what the page draws, which may have moved and turned the page for itself: it is fenced in first. */
const append = (page: PDFPage, code: string): void => {
  const { context } = page.doc;
  const begin = context.register(context.stream("q\n"));
  const end = context.register(context.stream("\nQ\n"));
  page.node.normalize();
  page.node.wrapContentStreams(begin, end);
  page.node.addContentStream(context.register(context.flateStream(code)));
};
