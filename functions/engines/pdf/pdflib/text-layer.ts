import { type PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";
import { appendContent, operands } from "../edit/content.ts";
import type { ReadWord } from "../ocr/ocr.ts";
import type { StraightenedPicture } from "../ocr/straightened.ts";
import { type Matrix, multiplied } from "../pdfium/page/objects.ts";

/** Writes invisible words over a picture of them, so that text can be searched, selected and copied. */
export interface TextLayer {
  /**
   * @param matrix maps pixels of the skewed picture, from its lower left corner, to the page
   * @param width size of that picture in pixels
   */
  write(page: PDFPage, read: StraightenedPicture, place: { matrix: Matrix; width: number; height: number }): void;
}

/** Every reader has this font, so it is not embedded; the text is invisible. It covers Windows-1252. */
export const textLayer = async (document: PDFDocument): Promise<TextLayer> => {
  const font = await document.embedFont(StandardFonts.Helvetica);
  const letters = new Set(font.getCharacterSet());
  const known = (text: string): string =>
    Array.from(text)
      .filter((letter) => letters.has(letter.codePointAt(0) ?? 0))
      .join("");
  return {
    write: (page, read, { matrix, ...size }) => {
      const { words, turn } = read;
      const height = turn % 180 === 0 ? size.height : size.width;
      const shown = words.map((word) => ({ ...word, text: known(word.text) })).filter(({ text }) => text !== "");
      if (shown.length > 0) {
        const name = page.node.newFontDictionary("Read", font.ref);
        const lines = shown.map((word) => wordCode(word, { font, height }));
        const skewed = multiplied(uprightMatrix(read, size), matrix);
        appendContent(
          page,
          `q ${operands(skewed)} cm BT 3 Tr\n${lines.join("\n").replaceAll("/F", name.toString())}\nET Q`,
        );
      }
    },
  };
};

/** @returns the matrix that maps the upright picture to the skewed and turned one */
const uprightMatrix = (
  { degrees, turn }: StraightenedPicture,
  { width, height }: { width: number; height: number },
): Matrix => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [x, y] = turn % 180 === 0 ? [width / 2, height / 2] : [height / 2, width / 2];
  const skew: Matrix = [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos];
  const turns: Readonly<Record<number, Matrix>> = {
    90: [0, 1, -1, 0, width, 0],
    180: [-1, 0, 0, -1, width, height],
    270: [0, -1, 1, 0, 0, height],
  };
  const back = turns[turn];
  return back === undefined ? skew : multiplied(skew, back);
};

/** Letters as high as their line would touch those of the next one. */
const LINE_SHARE = 0.9;

const wordCode = (
  { text, left, right, top, bottom, baseline }: ReadWord,
  { font, height }: { font: PDFFont; height: number },
): string => {
  const size = Math.max(1, (bottom - top) * LINE_SHARE);
  const stretch = (100 * Math.max(1, right - left)) / Math.max(0.01, font.widthOfTextAtSize(text, size));
  const place = operands([1, 0, 0, 1, left, height - baseline]);
  return `/F ${operands([size])} Tf ${operands([stretch])} Tz ${place} Tm ${font.encodeText(text)} Tj`;
};
