import type { ConversionRow } from "../../conversion.ts";

/** Formats with pixels that sharp reads. */
const PIXELS = ["jpg", "png", "apng", "webp", "gif", "tiff", "avif"] as const;

/** Formats that sharp reads. */
export const RASTER = [...PIXELS, "svg"] as const;

/**
 * @returns the conversion from each format that sharp reads. Of drawings, librsvg draws most; those with HTML, text on
 * paths, emoji or their own fonts need a browser
 */
export const fromRaster = (row: Omit<ConversionRow, "from">): ConversionRow[] => [
  { ...row, from: PIXELS },
  { ...row, from: ["svg"], helper: "chromium" },
];
