import { type FormatId, formatOf } from "../../../functions/domain/formats.ts";
import { picturePixels } from "./picture.ts";

/** What the picture of the samples looks like in formats that have fewer colours. */

/** Formats that hold black and white only, and those of grey only. */
const TWO_COLOURS: readonly FormatId[] = ["pbm", "xbm", "wbmp"];
const GREYS: readonly FormatId[] = ["pgm"];

/** Developed from what a sensor saw, with the brightness and the colours that the camera is known for. */
const CAMERAS: readonly FormatId[] = ["dng", "cr2", "nef", "arw", "pef", "srw"];

/** The picture with a text on it, on a page that is drawn in other sizes. */
const DRAWN_ON_PAGES: readonly FormatId[] = ["odg", "vsdx", "emf", "wmf", "dxf"];

/** @returns whether the sample of the format is the picture of `picture.ts` */
const showsPicture = (format: FormatId): boolean =>
  ["image", "vector"].includes(formatOf(format).family) && !DRAWN_ON_PAGES.includes(format);

/**
 * @returns whether the result is the picture of `picture.ts`, or what the target leaves of it: of a developed one, black
 * and white may be other parts
 */
export const isComparable = (from: FormatId, to: FormatId): boolean =>
  showsPicture(from) && !(CAMERAS.includes(from) && coloursOf(from, to) === "two");

/** @returns whether colours go on the way: the source has none, or the target has none */
const coloursOf = (from: FormatId, to: FormatId): "two" | "grey" | "all" => {
  const either = (formats: readonly FormatId[]) => formats.includes(from) || formats.includes(to);
  return either(TWO_COLOURS) ? "two" : either(GREYS) ? "grey" : "all";
};

/** How far a developed picture may be off, of 255: half of what one turned round is off. */
const DEVELOPED_DISTANCE_MAX = 60;

/** How far pixels may be off in the mean, of 255: samples of formats that lose are off by 0.3 already. */
const DISTANCE_MAX = { lossless: 0.5, lossy: 4, content_only: 255 } as const;

/** One exponent for three colours leaves eight bits of the brightest one; ImageMagick reads light with eight bits. */
const ROUGH: readonly FormatId[] = ["hdr", "exr"];

/** @returns how far the pixels may be off from {@link expectedPixels} in the mean */
export const distanceMax = (from: FormatId, to: FormatId, fidelity: keyof typeof DISTANCE_MAX): number => {
  const exact = [from, to].some((format) => ROUGH.includes(format)) ? DISTANCE_MAX.lossy : DISTANCE_MAX[fidelity];
  return CAMERAS.includes(from) ? DEVELOPED_DISTANCE_MAX : exact;
};

/** From here on a quarter counts as white where there is only black and white: one of them is. */
const LIGHT = 150;

/** @returns the pixels of the picture as they are when it came from one format and went to the other */
export const expectedPixels = (from: FormatId, to: FormatId): Buffer => {
  const colours = coloursOf(from, to);
  const pixels = picturePixels();
  for (let at = 0; colours !== "all" && at < pixels.length; at += 3) {
    const grey = luma(pixels.subarray(at, at + 3));
    pixels.fill(colours === "two" ? (grey < LIGHT ? 0 : 255) : grey, at, at + 3);
  }
  return pixels;
};

/** @returns how light a colour is, by Rec. 709 as ImageMagick has it */
const luma = ([red = 0, green = 0, blue = 0]: Uint8Array): number =>
  Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
