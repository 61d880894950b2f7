import sharp from "sharp";
import type { Figure } from "../layout/model.ts";
import { renderPage } from "./bitmap.ts";
import type { PdfPage } from "./document.ts";
import { placingOf } from "./geometry.ts";
import { objectsOf } from "./objects.ts";
import { type PictureArea, pictureAreas } from "./picture-areas.ts";
import { type PictureFile, takePicture } from "./pictures.ts";

const DPI = 150;
const POINTS_PER_INCH = 72;
const PIXELS_MAX = 8_000_000;

/**
 * @returns a function that extracts the picture of a figure as a file, or renders the figure's area with its labels;
 * the function returns undefined if there is nothing to draw
 */
export const figureTaker = (page: PdfPage): ((figure: Figure) => Promise<PictureFile | undefined>) => {
  let areas: readonly PictureArea[] | undefined;
  return (figure) => {
    if (figure.picture === undefined) {
      return drawn(page, figure);
    }
    areas ??= pictureAreas(page, objectsOf(page), placingOf(page));
    const area = areas[figure.picture];
    return area === undefined ? Promise.resolve(undefined) : takePicture(page, area);
  };
};

const drawn = async (page: PdfPage, { left, top, right, bottom }: Figure): Promise<PictureFile | undefined> => {
  const area = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(page.width, right),
    bottom: Math.min(page.height, bottom),
  };
  const [across, down] = [area.right - area.left, area.bottom - area.top];
  if (!(across > 0 && down > 0)) {
    return undefined;
  }
  const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(PIXELS_MAX / (across * down)));
  const size = { width: Math.max(1, Math.round(across * scale)), height: Math.max(1, Math.round(down * scale)) };
  const { data, channels } = renderPage(page, { ...size, area, paper: [255, 255, 255, 255] });
  const bytes = await sharp(data, { raw: { ...size, channels } })
    .png({ compressionLevel: 4 })
    .toBuffer();
  return { bytes, mediaType: "image/png" };
};
