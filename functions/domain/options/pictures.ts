import * as z from "zod/mini";
import { PICTURE_SIDE_PIXELS_MAX } from "../conversion-limits.ts";
import { described } from "./described.ts";

/** A schema of its own for each option: what describes one is kept by the schema's object. */
const side = () => z.int().check(z.minimum(1), z.maximum(PICTURE_SIDE_PIXELS_MAX));

export const pictureOptions = {
  quality: described(z.int().check(z.minimum(1), z.maximum(100)), "Quality of a lossy encoding, 1 to 100."),
  lossless: described(z.boolean(), "Encode without loss; `quality` is then without effect."),
  width: described(side(), "Width of the result in pixels. With one side given, the other follows the proportions."),
  height: described(side(), "Height of the result in pixels."),
  fit: described(
    z.enum(["inside", "outside", "cover", "contain", "fill"]),
    "How the picture meets `width` and `height`: `inside` and `outside` keep the proportions within or around them, " +
      "`cover` crops, `contain` pads with `background`, `fill` stretches. Default `inside`.",
  ),
  background: described(
    z.string().check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i)),
    "Colour behind transparent pixels and of padding: `#rgb`, `#rrggbb` or `#rrggbbaa`; one that is not opaque is " +
      "for padding only. Default: transparent, and white where the target has no transparency.",
  ),
  colours: described(
    z.enum(["colour", "black_white"]),
    "What a traced drawing is made of: areas of `colour` (the default), or `black_white` lines and areas.",
  ),
  delay: described(
    z.int().check(z.minimum(10), z.maximum(60_000)),
    "Milliseconds that each frame is shown, where several pictures become an animation; GIF has steps of 10. Default: " +
      "500, and a frame of an animation as long as there.",
  ),
  strip_metadata: described(
    z.boolean(),
    "Leave out EXIF, XMP and location. The colour profile is then applied to the pixels, so colours stay.",
  ),
} as const;
