import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";
import { picturePixels } from "./pictures/picture.ts";

/** The sample picture in formats with fewer colors. */

/** Black-and-white formats and grayscale formats. */
const TWO_COLORS: readonly FormatId[] = ["pbm", "xbm", "wbmp"];
const GRAYS: readonly FormatId[] = ["pgm"];

/** Developed from raw sensor data, with the camera's typical brightness and colors. */
const CAMERAS: readonly FormatId[] = ["dng", "cr2", "cr3", "nef", "arw", "pef", "srw", "raf", "orf", "rw2"];

/** The picture with text, rendered on a page at other sizes. */
const DRAWN_ON_PAGES: readonly FormatId[] = ["odg", "vsdx", "emf", "wmf", "dxf", "eps"];

/** @returns whether the sample of the format is the picture of `picture.ts` */
const showsPicture = (format: FormatId): boolean =>
  ["image", "vector"].includes(formatOf(format).family) && !DRAWN_ON_PAGES.includes(format);

/**
 * @returns whether the result is the picture of `picture.ts` as far as the target supports it; in a developed picture,
 * other parts may become black and white
 */
export const isComparable = (from: FormatId, to: FormatId): boolean =>
  showsPicture(from) && !(CAMERAS.includes(from) && colorsOf(from, to) === "two");

/** @returns whether the conversion loses colors: the source or the target has none */
const colorsOf = (from: FormatId, to: FormatId): "two" | "gray" | "all" => {
  const either = (formats: readonly FormatId[]) => formats.includes(from) || formats.includes(to);
  return either(TWO_COLORS) ? "two" : either(GRAYS) ? "gray" : "all";
};

/** Tolerance of a developed picture, of 255: half the difference of a rotated one. */
const DEVELOPED_DISTANCE_MAX = 60;

/** Mean tolerance of pixels, of 255: samples in lossy formats already differ by 0.3. */
const DISTANCE_MAX = { lossless: 0.5, lossy: 4, content_only: 255 } as const;

/** A shared exponent for three colors leaves eight bits for the brightest; ImageMagick reads HDR with eight bits. */
const ROUGH: readonly FormatId[] = ["hdr", "exr"];

/** @returns the mean tolerance of pixels compared to {@link expectedPixels} */
export const distanceMax = (from: FormatId, to: FormatId, fidelity: keyof typeof DISTANCE_MAX): number => {
  const exact = [from, to].some((format) => ROUGH.includes(format)) ? DISTANCE_MAX.lossy : DISTANCE_MAX[fidelity];
  return CAMERAS.includes(from) ? DEVELOPED_DISTANCE_MAX : exact;
};

/** Minimum lightness at which a quadrant counts as white in black-and-white formats: one of them does. */
const LIGHT = 150;

/** @returns the expected pixels of the picture after a conversion between the two formats */
export const expectedPixels = (from: FormatId, to: FormatId): Buffer => {
  const colors = colorsOf(from, to);
  const pixels = picturePixels();
  for (let at = 0; colors !== "all" && at < pixels.length; at += 3) {
    const gray = luma(pixels.subarray(at, at + 3));
    pixels.fill(colors === "two" ? (gray < LIGHT ? 0 : 255) : gray, at, at + 3);
  }
  return pixels;
};

/** @returns the lightness of a color by Rec. 709, as in ImageMagick */
const luma = ([red = 0, green = 0, blue = 0]: Uint8Array): number =>
  Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
