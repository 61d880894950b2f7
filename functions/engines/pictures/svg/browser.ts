import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type Helper, HelperNeeded } from "../../core/engine.ts";
import { browserFeatures } from "./features.ts";

/** A drawing as the browser drew it; without pixels, librsvg draws it. */
export interface BrowserDrawing {
  readonly pixels?: Buffer;
  readonly warnings: readonly Warning[];
}

/**
 * Draws what librsvg would leave out in a browser, at the size that the result needs.
 *
 * @param bytes a checked drawing
 * @throws HelperNeeded if another lane has the browser
 */
export const drawnByBrowser = async (
  bytes: Uint8Array,
  size: PictureSize,
  helper: Helper | undefined,
): Promise<BrowserDrawing> => {
  const features = browserFeatures(bytes);
  if (features.length === 0) {
    return { warnings: [] };
  }
  if (helper === "elsewhere") {
    throw new HelperNeeded();
  }
  if (helper === undefined) {
    return leftOut(features, "this server has no browser (Chromium)");
  }
  const { DRAWN_SIDE_PIXELS_MAX, drawDrawing } = await import("../../documents/chromium/drawing.ts");
  if (Math.max(size.width, size.height) > DRAWN_SIDE_PIXELS_MAX) {
    return leftOut(features, `the result has more than ${DRAWN_SIDE_PIXELS_MAX} pixels on a side`);
  }
  const { png, warnings } = await drawDrawing(bytes, size);
  return { pixels: png, warnings };
};

const leftOut = (features: readonly string[], reason: string): BrowserDrawing => ({
  warnings: [
    {
      code: "drawing_incomplete",
      detail: `Left out or drawn differently than in a browser, because ${reason}: ${features.join(", ")}.`,
    },
  ],
});
