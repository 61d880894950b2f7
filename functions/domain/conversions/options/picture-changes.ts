import * as z from "zod/mini";
import { described, withDefault } from "./described.ts";

/** Pixels or percent: `0`, `120`, `12.5%`. */
const LENGTH = String.raw`(?:\d{1,6}|\d{1,3}(?:\.\d{1,3})?%)`;

/** One side, or both. */
const SIZE = String.raw`[1-9]\d{0,4}(?:x[1-9]\d{0,4})?`;

/** The maximum number of sizes of one image. */
const SIZES_MAX = 10;

/** Changes of the pixels of an image, in the order in which they apply. The watermark is the last one. */
export const pictureChangeOptions = {
  flip: described(
    z.enum(["horizontal", "vertical", "both"]),
    "Mirror the image: `horizontal` exchanges left and right, `vertical` top and bottom. Applies before `rotate`.",
  ),
  crop: described(
    z
      .string()
      .check(
        z.regex(
          new RegExp(`^${LENGTH}(?:,${LENGTH}){3}$`),
          "left, top, width and height in pixels or percent, such as `10,20,300,200` or `25%,25%,50%,50%`",
        ),
      ),
    "Area of the image to keep: `left,top,width,height` in pixels or percent. Applies after `flip` and `rotate`, before " +
      "`width` and `height`.",
  ),
  sizes: described(
    z
      .string()
      .check(
        z.maxLength(SIZES_MAX * 12),
        z.regex(
          new RegExp(`^${SIZE}(?:,${SIZE}){0,${SIZES_MAX - 1}}$`),
          `up to ${SIZES_MAX} sizes such as \`64,320x200\``,
        ),
      ),
    `Several sizes of the image, up to ${SIZES_MAX}, in a ZIP: \`64,320,1280x720\` are widths, or widths and heights. Replaces ` +
      "`width` and `height`; `fit` applies to each. Of a video in a ZIP: the sizes among which a player chooses.",
    ["writing"],
  ),
  grayscale: withDefault(z.boolean(), false, "Convert the colors to shades of gray."),
  blur: described(
    z.number().check(z.minimum(0.3), z.maximum(100)),
    "Blur the image: standard deviation of the Gaussian in pixels of the result.",
  ),
  sharpen: described(
    z.number().check(z.minimum(0.3), z.maximum(10)),
    "Sharpen the image: standard deviation of the Gaussian in pixels of the result.",
  ),
} as const;
