import type { FormatId } from "../../../formats/formats.ts";

/** What sharp reads: each becomes what any of the engines of pictures writes. */
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
