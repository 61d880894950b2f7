import sharp from "sharp";
import { renderPage } from "./bitmap.ts";
import type { PdfPage } from "./document.ts";
import { IMAGE, objectsOf, TEXT } from "./objects.ts";

const DPI = 150;
const POINTS_PER_INCH = 72;
const PIXELS_MAX = 8_000_000;

/**
 * Draws everything except text and pictures: lines, areas, charts, annotations. Text and pictures are removed from the
 * page for this, so call it last.
 *
 * @returns a PNG as large as the page; undefined if there is nothing to draw
 */
export const drawBackdrop = async (page: PdfPage): Promise<Uint8Array | undefined> => {
  const { pdfium } = page.document;
  const objects = objectsOf(page);
  const hidden = objects.filter(({ type }) => type === TEXT || type === IMAGE);
  if (hidden.length === objects.length) {
    return undefined;
  }
  for (const { handle } of hidden) {
    pdfium.call.FPDFPageObj_SetIsActive(handle, 0);
  }
  const points = page.width * page.height;
  const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(PIXELS_MAX / points));
  const size = {
    width: Math.max(1, Math.round(page.width * scale)),
    height: Math.max(1, Math.round(page.height * scale)),
  };
  const { data, width, height, channels } = renderPage(page, { ...size, paper: [255, 255, 255, 255] });
  if (data.every((byte) => byte === 255)) {
    return undefined;
  }
  return sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 4 }).toBuffer();
};
