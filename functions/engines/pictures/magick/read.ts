import {
  ColorProfile,
  ColorSpace,
  type IMagickImage,
  type IMagickImageCollection,
  ImageMagick,
  type IPixelCollection,
} from "@imagemagick/magick-wasm";
import sharp from "sharp";
import { JobError } from "../../../domain/errors.ts";
import { isCameraRaw } from "../../../domain/formats/families/pictures-camera-raw.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { uprightExif } from "../files/exif.ts";
import { writePng } from "../files/png-writer.ts";
import { coderOf } from "./library.ts";

/** Reads an image that sharp does not support, and writes it as a PNG. */
export const readRare = (bytes: Buffer, task: EngineTask): Promise<Warning[]> =>
  ImageMagick.readCollection(bytes, coderOf(task.from), async (images) => {
    const image = chosen(images, task.from);
    if (image === undefined) {
      throw new JobError("source_corrupt", `The ${formatOf(task.from).name} contains no image.`);
    }
    const left = FRAMED.includes(task.from) && images.length > 1 ? [framesWarning(images.length)] : [];
    const camera = isCameraRaw(task.from) ? [CAMERA_WARNING] : [];
    return [...left, ...camera, ...(await handOver(image, task))];
  });

/**
 * Formats with one image in several sizes, and animated formats. In layered files, layers come after the composed
 * image.
 */
const SIZED: readonly FormatId[] = ["ico", "cur"];
const FRAMED: readonly FormatId[] = ["jxl", "miff"];

const chosen = (images: IMagickImageCollection, from: FormatId): IMagickImage | undefined => {
  const pixels = ({ width, height }: IMagickImage): number => width * height;
  return SIZED.includes(from)
    ? [...images].reduce((best, image) => (pixels(image) > pixels(best) ? image : best))
    : images[0];
};

const framesWarning = (count: number): Warning => ({
  code: "frames_dropped",
  detail: `The file has ${count} frames; the result contains only the first one.`,
});

const CAMERA_WARNING: Warning = {
  code: "metadata_dropped",
  detail: "The camera's metadata (EXIF, location) is not kept.",
};

/** Writes the pixels, the color profile, EXIF and XMP of an upright image as a PNG. */
export const handOver = async (image: IMagickImage, { output, from }: EngineTask): Promise<Warning[]> => {
  if (from === "jxl") {
    // Its decoder leaves the rotation to the program; other decoders apply it.
    image.autoOrient();
  }
  const profile = (name: string) => image.getProfile(name)?.data;
  const channels = image.hasAlpha ? 4 : 3;
  const { width, height } = image;
  if (width === 0 || height === 0) {
    // For files with unknown features it reports no error, but returns an image without pixels.
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} uses a feature that is not supported.`);
  }
  const warnings = [...depthWarning(image, from), ...(await toScreenColors(image))];
  const exif = profile("exif");
  const header = { width, height, channels, profile: profile("icc"), xmp: profile("xmp") } as const;
  await image.getPixels((pixels) =>
    writePng(output, { ...header, exif: exif && uprightExif(exif) }, rowsOf(pixels, header)),
  );
  return warnings;
};

/**
 * PNG supports neither CMYK nor linear light. CMYK is converted with its profile, which no longer applies to the
 * result.
 */
const toScreenColors = async (image: IMagickImage): Promise<Warning[]> => {
  const inks = image.colorSpace === ColorSpace.CMYK;
  if (inks && image.hasProfile("icc")) {
    image.transformColorSpace(new ColorProfile(await screenProfile()));
    image.removeProfile("icc");
    return [];
  }
  if (!SCREEN_COLORS.includes(image.colorSpace)) {
    image.colorSpace = ColorSpace.sRGB;
  }
  if (inks) {
    image.removeProfile("icc");
  }
  return inks ? [INKS_WARNING] : [];
};

/** @returns sharp's sRGB profile */
const screenProfile = async (): Promise<Uint8Array> => {
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } }).withIccProfile("srgb");
  const { icc } = await sharp(await dot.png().toBuffer()).metadata();
  return icc ?? new Uint8Array();
};

/** The bit depth of developed raw images is the one requested from the developer. */
const depthWarning = ({ depth }: IMagickImage, from: FormatId): Warning[] =>
  depth <= 8 || isCameraRaw(from)
    ? []
    : [{ code: "depth_reduced", detail: `The image has ${depth} bits per channel; it was reduced to 8.` }];

/** Color spaces that a PNG can express, and those that ImageMagick does not know. */
const SCREEN_COLORS: readonly ColorSpace[] = [ColorSpace.sRGB, ColorSpace.Gray, ColorSpace.Undefined];

const INKS_WARNING: Warning = {
  code: "colors_converted",
  detail: "The image uses CMYK and has no color profile; colors in the result may be more saturated.",
};

const STRIPE_BYTES = 1_048_576;

/** @returns the pixels in stripes of about a megabyte, so that the image is not in memory twice */
const rowsOf = function* (
  pixels: IPixelCollection,
  { width, height, channels }: { width: number; height: number; channels: number },
): Generator<Uint8Array> {
  const step = Math.max(1, Math.floor(STRIPE_BYTES / (width * channels)));
  for (let y = 0; y < height; y += step) {
    const stripe = pixels.toByteArray(0, y, width, Math.min(step, height - y), channels === 4 ? "RGBA" : "RGB");
    if (stripe === null) {
      throw new Error(`ImageMagick returned no pixels from row ${y} on.`);
    }
    yield stripe;
  }
};
