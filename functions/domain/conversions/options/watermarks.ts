import * as z from "zod/mini";
import { described, withDefault } from "./described.ts";

/** The longest text of a watermark, in characters. */
const WATERMARK_CHARACTERS_MAX = 200;

/** Where a watermark can be; `tile` repeats it. */
const WATERMARK_POSITIONS = [
  ...(["center", "top", "bottom", "left", "right"] as const),
  ...(["top_left", "top_right", "bottom_left", "bottom_right", "tile"] as const),
] as const;

/** A watermark on images, or on the pages of a PDF. */
export const watermarkOptions = {
  watermark_text: described(
    z.string().check(
      z.minLength(1),
      z.maxLength(WATERMARK_CHARACTERS_MAX),
      z.refine((text) => text.trim() !== "" && !/\p{Cc}/u.test(text), "text without control characters"),
    ),
    "Text to draw over the image or the pages as a watermark.",
    ["writing"],
  ),
  watermark_position: withDefault(
    z.enum(WATERMARK_POSITIONS),
    "center",
    "Position of the watermark; `tile` repeats it over the whole area.",
    ["writing"],
  ),
  watermark_opacity: withDefault(
    z.number().check(z.minimum(0.01), z.maximum(1)),
    0.3,
    "Opacity of the watermark: 0.01 is almost invisible, 1 is opaque.",
    ["writing"],
  ),
  watermark_size: withDefault(
    z.number().check(z.minimum(1), z.maximum(100)),
    40,
    "Width of the watermark in percent of the width of the image or page.",
    ["writing"],
  ),
  watermark_rotation: withDefault(
    z.number().check(z.minimum(-180), z.maximum(180)),
    0,
    "Clockwise rotation of the watermark in degrees.",
    ["writing"],
  ),
  watermark_color: withDefault(
    z.string().check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, "a color such as `#f80` or `#ff8000`")),
    "#808080",
    "Color of the watermark's text: `#rgb` or `#rrggbb`.",
    ["writing"],
  ),
} as const;
