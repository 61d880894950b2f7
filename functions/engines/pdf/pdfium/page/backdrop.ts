import sharp from "sharp";
import { renderPage } from "./bitmap.ts";
import type { PdfPage } from "./document.ts";
import { type Box, floats, type Placing, placingOf } from "./geometry.ts";
import { withMemory } from "./module.ts";
import { IMAGE, objectsOf, type PageObject, placed, TEXT } from "./objects.ts";

const DPI = 150;
const POINTS_PER_INCH = 72;
const PIXELS_MAX = 8_000_000;

/** Distance in points by which a drawing may exceed an area that it belongs to: half the width of its border. */
const TOLERANCE = 3;

/**
 * Draws everything except text and pictures: lines, areas, charts, annotations. Text and pictures are removed from the
 * page for this, so call it last.
 *
 * @param without areas whose drawings are left out
 * @returns a PNG as large as the page; undefined if there is nothing to draw
 */
export const drawBackdrop = async (page: PdfPage, without: readonly Box[] = []): Promise<Uint8Array | undefined> => {
  const { pdfium } = page.document;
  const objects = objectsOf(page);
  const placing = placingOf(page);
  const isHidden = (object: PageObject): boolean =>
    object.type === TEXT ||
    object.type === IMAGE ||
    (without.length > 0 && isWithin(page, object, { placing, without }));
  const hidden = objects.filter(isHidden);
  if (hidden.length === objects.length) {
    return undefined;
  }
  for (const { handle } of hidden) {
    pdfium.call.FPDFPageObj_SetIsActive(handle, 0);
  }
  return drawArea(page, { left: 0, top: 0, right: page.width, bottom: page.height });
};

/** @returns an area of the page as PNG; undefined if it is blank */
export const drawArea = async (page: PdfPage, area: Box): Promise<Uint8Array | undefined> => {
  const [across, down] = [area.right - area.left, area.bottom - area.top];
  const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(PIXELS_MAX / (across * down)));
  const [width = 1, height = 1] = [across, down].map((points) => Math.max(1, Math.round(points * scale)));
  const { data, channels } = renderPage(page, { width, height, area, paper: [255, 255, 255, 255] });
  return data.every((byte) => byte === 255)
    ? undefined
    : sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 4 }).toBuffer();
};

const isWithin = (
  { document: { pdfium } }: PdfPage,
  { handle, outer }: PageObject,
  { placing, without }: { readonly placing: Placing; readonly without: readonly Box[] },
): boolean => {
  const [left, bottom, right, top] = withMemory(pdfium, 16, (place) => {
    pdfium.call.FPDFPageObj_GetBounds(handle, place, place + 4, place + 8, place + 12);
    return floats(pdfium.view(), place);
  });
  const box = placed([right - left, 0, 0, top - bottom, left, bottom], outer, placing);
  return without.some(
    (area) =>
      box.left >= area.left - TOLERANCE &&
      box.right <= area.right + TOLERANCE &&
      box.top >= area.top - TOLERANCE &&
      box.bottom <= area.bottom + TOLERANCE,
  );
};
