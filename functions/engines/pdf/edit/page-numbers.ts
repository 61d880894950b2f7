import { type PDFDocument, PDFName, StandardFonts } from "@cantoo/pdf-lib";
import { pagesIn } from "../../../domain/conversions/page-ranges.ts";
import type { EngineTask } from "../../core/engine.ts";
import { appendContent, operands } from "./content.ts";
import { frameOf } from "./frame.ts";
import { centerAt } from "./place.ts";

/** In points. */
const FONT_SIZE = 10;

/** Writes the number of each page, such as `1 / 10`, in its margin. */
export const addPageNumbers = async (document: PDFDocument, { options }: EngineTask): Promise<void> => {
  const { page_number_format: format = "{page}", page_number_position: position = "bottom" } = options;
  const { page_number_start: start = 1, page_number_pages } = options;
  const font = await document.embedFont(StandardFonts.Helvetica);
  const name = PDFName.of(`AnyformFont${font.ref.objectNumber}`);
  const pages = document.getPages();
  const numbered = pagesIn(page_number_pages, pages.length).toSorted((one, other) => one - other);
  const last = String(start + numbered.length - 1);
  for (const [index, number] of numbered.entries()) {
    const page = document.getPage(number - 1);
    const text = format.replaceAll("{page}", String(start + index)).replaceAll("{pages}", last);
    const frame = frameOf(page);
    const width = font.widthOfTextAtSize(text, FONT_SIZE);
    const [x, y] = centerAt(frame, position, [width, FONT_SIZE]);
    page.node.setFontDictionary(name, font.ref);
    const place = `1 0 0 1 ${operands([x - width / 2, y - FONT_SIZE / 3])} Tm`;
    const shown = `BT ${name} ${FONT_SIZE} Tf 0 g ${place} ${font.encodeText(text)} Tj ET`;
    appendContent(page, `q ${operands(frame.matrix)} cm ${shown} Q\n`);
  }
};
