import * as z from "zod/mini";
import { PICTURE_SIDE_PIXELS_MAX } from "../conversion-limits.ts";
import { described, withDefault } from "./described.ts";

/** Each option needs a separate schema object, because descriptions are registered by object. */
const side = () => z.int().check(z.minimum(1), z.maximum(PICTURE_SIDE_PIXELS_MAX));

export const pictureOptions = {
  quality: described(z.int().check(z.minimum(1), z.maximum(100)), "Quality of a lossy encoding, 1 to 100."),
  lossless: withDefault(z.boolean(), false, "Lossless encoding; `quality` is ignored."),
  width: described(side(), "Width of the result in pixels. If only one side is set, the aspect ratio is preserved."),
  height: described(side(), "Height of the result in pixels."),
  fit: withDefault(
    z.enum(["inside", "outside", "cover", "contain", "fill"]),
    "inside",
    "How the image fits `width` and `height`: `inside` and `outside` preserve the aspect ratio within or around them, " +
      "`cover` crops, `contain` pads with `background`, `fill` stretches.",
  ),
  background: described(
    z
      .string()
      .check(
        z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, "a color such as `#f80`, `#ff8000` or `#ff800080`"),
      ),
    "Background color of transparent pixels and padding: `#rgb`, `#rrggbb` or `#rrggbbaa`; a translucent color is used for " +
      "padding only. Default: transparent, or white if the target does not support transparency.",
  ),
  colors: withDefault(
    z.enum(["color", "black_white"]),
    "color",
    "Colors of a traced drawing: areas of `color`, or `black_white` lines and areas.",
  ),
  delay: described(
    z.int().check(z.minimum(10), z.maximum(60_000)),
    "Duration of each frame in milliseconds when images are merged into an animation; GIF has steps of 10. Default: 500; " +
      "frames of an animation keep their duration.",
  ),
  strip_metadata: withDefault(
    z.enum(["none", "gps", "private", "all"]),
    "none",
    "Remove metadata: `gps` the location, `private` everything except the author, the copyright and the color profile of an " +
      "image, `all` EXIF, XMP, tags and location. With `all`, the color profile of an image is applied to the pixels, so " +
      "colors are preserved.",
  ),
} as const;
