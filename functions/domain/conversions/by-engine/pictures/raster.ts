import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import { WATERMARK_IMAGES } from "../../options/stamps.ts";
import type { OptionName } from "../../options.ts";

/** Formats with pixels that sharp reads. */
export const PIXELS = ["jpg", "png", "apng", "webp", "gif", "tiff", "avif"] as const;

/** Formats that sharp reads. */
export const RASTER = [...PIXELS, "svg"] as const;

/** The options of a watermark. */
export const WATERMARK = [
  ...(["watermark_text", "watermark_upload_id", "watermark_position", "watermark_opacity", "watermark_size"] as const),
  ...(["watermark_rotation", "watermark_color"] as const),
] as const satisfies readonly OptionName[];

/** The options of every image that sharp prepares, also for other encoders. */
export const DRAWN = [
  ...(["flip", "rotate", "crop", "width", "height", "fit", "background"] as const),
  ...(["grayscale", "blur", "sharpen", ...WATERMARK, "strip_metadata"] as const),
] as const satisfies readonly OptionName[];

/**
 * @returns the conversion from each format that sharp reads. Of drawings, librsvg draws most; those with HTML, text on
 * paths, emoji or their own fonts need a browser
 */
export const fromRaster = (row: Omit<ConversionRow, "from">): ConversionRow[] => [
  { ...stamped(row), from: PIXELS },
  { ...stamped(row), from: ["svg"], helper: "chromium" },
];

/** @returns the row with the formats of a watermark, if it has any */
export const stamped = <Row extends Omit<ConversionRow, "from">>(row: Row): Row & Pick<ConversionRow, "rules"> =>
  row.options.includes("watermark_upload_id") ? { ...row, rules: { ...STAMPS, ...row.rules } } : row;

const STAMPS: OptionRules = { watermark_upload_id: { formats: WATERMARK_IMAGES } };
