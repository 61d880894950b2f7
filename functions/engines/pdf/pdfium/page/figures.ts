import sharp from "sharp";
import { framesOf } from "../content/frame.ts";
import type { Figure, PageLayout } from "../layout/model.ts";
import { drawArea } from "./backdrop.ts";
import type { PdfPage } from "./document.ts";
import { placingOf } from "./geometry.ts";
import { objectsOf } from "./objects.ts";
import { type PictureArea, pictureAreas } from "./picture-areas.ts";
import { type PictureFile, takePicture } from "./pictures.ts";

/** @returns the picture of a figure as a file; undefined if there is nothing to draw */
export type FigureTaker = (figure: Figure) => Promise<PictureFile | undefined>;

/**
 * @param rotation counterclockwise quarter turns by which the layout turned the page
 * @returns a function that extracts the picture of a figure, or renders the figure's area with its labels
 */
export const figureTaker = (page: PdfPage, rotation?: PageLayout["rotation"]): FigureTaker => {
  let areas: readonly PictureArea[] | undefined;
  const upright: FigureTaker = (figure) => {
    if (figure.picture === undefined) {
      return drawn(page, figure);
    }
    areas ??= pictureAreas(page, objectsOf(page), placingOf(page));
    const area = areas[figure.picture];
    return area === undefined ? Promise.resolve(undefined) : takePicture(page, area);
  };
  const frame = rotation && framesOf(page)[rotation];
  return frame === undefined
    ? upright
    : async (figure) => turned(await upright({ ...figure, ...frame.leave(figure) }), rotation);
};

/** @returns the picture after counterclockwise quarter turns */
export const turned = async (
  picture: PictureFile | undefined,
  quarters: PageLayout["rotation"],
): Promise<PictureFile | undefined> =>
  picture === undefined || quarters === undefined
    ? picture
    : {
        bytes: await sharp(picture.bytes)
          .rotate((4 - quarters) * 90)
          .png({ compressionLevel: 4 })
          .toBuffer(),
        mediaType: "image/png",
      };

const drawn = async (page: PdfPage, { left, top, right, bottom }: Figure): Promise<PictureFile | undefined> => {
  const area = {
    ...{ left: Math.max(0, left), top: Math.max(0, top) },
    ...{ right: Math.min(page.width, right), bottom: Math.min(page.height, bottom) },
  };
  const bytes = area.right > area.left && area.bottom > area.top ? await drawArea(page, area) : undefined;
  return bytes && { bytes, mediaType: "image/png" };
};
