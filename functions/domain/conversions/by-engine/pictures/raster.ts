import type { FormatId } from "../../../formats/formats.ts";

/** Formats that sharp reads. Each one can be converted to all targets of the image engines. */
export const RASTER = [
  "jpg",
  "png",
  "apng",
  "webp",
  "gif",
  "tiff",
  "avif",
  "svg",
] as const satisfies readonly FormatId[];
