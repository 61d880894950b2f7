import type { PdfPage } from "../page/document.ts";
import { type Box, floats } from "../page/geometry.ts";
import { type Pdfium, withMemory } from "../page/module.ts";

/** Letters drawn at one place, as PDFium's text page has them, in the page's own coordinates. */
export interface Letters {
  text: string;
  /** Area of the advance width and the font's height; `top` is the upper edge, y upward. */
  readonly area: Box;
  /** Where the glyph begins, on the baseline. */
  readonly x: number;
  readonly y: number;
}

/** Letters of a page by the handle of their text object. */
export interface PageLetters {
  of(object: number): readonly Letters[];
}

/** Maximum letters read per page: a page of a phone book has 20,000. */
const PAGE_LETTERS_MAX = 500_000;
const SCRATCH_BYTES = 32;

/** Runs `use` with the letters of a page. @param hidden text objects that are not read */
export const withLetters = <T>(page: PdfPage, hidden: readonly number[], use: (letters: PageLetters) => T): T => {
  const { pdfium } = page.document;
  const textPage = textPageOf(page, hidden);
  try {
    return withMemory(pdfium, SCRATCH_BYTES, (scratch) => {
      const indexes = textPage === 0 ? new Map<number, number[]>() : indexesOf(pdfium, textPage);
      const of = (object: number): Letters[] =>
        grouped(pdfium, textPage, { indexes: indexes.get(object) ?? [], scratch });
      return use({ of });
    });
  } finally {
    textPage === 0 || pdfium.call.FPDFText_ClosePage(textPage);
  }
};

/** Long replacement texts (`ActualText`) would exhaust PDFium's memory, which ends the process. */
const textPageOf = ({ document: { pdfium }, handle }: PdfPage, hidden: readonly number[]): number => {
  const { call } = pdfium;
  for (const object of hidden) {
    call.FPDFPageObj_SetIsActive(object, 0);
  }
  const textPage = call.FPDFText_LoadPage(handle);
  for (const object of hidden) {
    call.FPDFPageObj_SetIsActive(object, 1);
  }
  return textPage;
};

/** @returns the indexes of the letters of each text object, without the spaces and line ends that PDFium adds */
const indexesOf = ({ call }: Pdfium, textPage: number): Map<number, number[]> => {
  const count = Math.min(call.FPDFText_CountChars(textPage), PAGE_LETTERS_MAX);
  const indexes = new Map<number, number[]>();
  let last = 0;
  let open: number[] = [];
  for (let index = 0; index < count; index += 1) {
    if (call.FPDFText_IsGenerated(textPage, index) === 1) {
      continue;
    }
    const object = call.FPDFText_GetTextObject(textPage, index);
    if (object !== last) {
      open = indexes.get(object) ?? [];
      indexes.set(object, open);
      last = object;
    }
    open.push(index);
  }
  return indexes;
};

const grouped = (
  pdfium: Pdfium,
  textPage: number,
  { indexes, scratch }: { indexes: readonly number[]; scratch: number },
): Letters[] => {
  const { call } = pdfium;
  const found: Letters[] = [];
  for (const index of indexes) {
    const text = characterOf(pdfium, textPage, index);
    call.FPDFText_GetLooseCharBox(textPage, index, scratch);
    call.FPDFText_GetCharOrigin(textPage, index, scratch + 16, scratch + 24);
    const view = pdfium.view();
    const [left, top, right, bottom] = floats(view, scratch);
    const [x, y] = [view.getFloat64(scratch + 16, true), view.getFloat64(scratch + 24, true)];
    const last = found.at(-1);
    if (last !== undefined && last.x === x && last.y === y && last.area.right === right) {
      last.text += text;
    } else {
      found.push({ text, x, y, area: { left, top, right, bottom } });
    }
  }
  return found;
};

/** @returns a character; `\0` if neither the font nor its encoding says which one it is */
const characterOf = ({ call }: Pdfium, textPage: number, index: number): string => {
  const code = call.FPDFText_GetUnicode(textPage, index);
  // PDFium has another character for a hyphen at which it detected a divided word.
  if (code < 0x20 && call.FPDFText_IsHyphen(textPage, index) === 1) {
    return "-";
  }
  // Without a mapping PDFium returns the glyph's number in the font. In simple fonts it often is the character.
  const guessed = (code > 0xff || code < 0x20) && call.FPDFText_HasUnicodeMapError(textPage, index) === 1;
  return guessed || code > 0x10ffff ? "\0" : String.fromCodePoint(code);
};
