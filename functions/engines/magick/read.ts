import {
  ColorProfile,
  ColorSpace,
  type IMagickImage,
  type IMagickImageCollection,
  ImageMagick,
  type IPixelCollection,
} from "@imagemagick/magick-wasm";
import sharp from "sharp";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineTask } from "../engine.ts";
import { uprightExif } from "../io/exif.ts";
import { writePng } from "../io/png-writer.ts";
import { coderOf } from "./library.ts";

/** Reads a picture that sharp does not read, and writes it as a PNG. */
export const readRare = (bytes: Buffer, task: EngineTask): Promise<Warning[]> =>
  ImageMagick.readCollection(bytes, coderOf(task.from), async (images) => {
    const image = chosen(images, task.from);
    if (image === undefined) {
      throw new JobError("source_corrupt", `The ${formatOf(task.from).name} holds no picture.`);
    }
    const left = FRAMED.includes(task.from) && images.length > 1 ? [framesWarning(images.length)] : [];
    return [...left, ...(await handOver(image, task))];
  });

/** Formats whose pictures are one in several sizes, and those that move. Layers stand behind the picture that they make. */
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
  detail: `The file has ${count} frames; the result holds the first one only.`,
});
const handOver = async (image: IMagickImage, { output, from }: EngineTask): Promise<Warning[]> => {
  const profile = (name: string) => image.getProfile(name)?.data;
  const channels = image.hasAlpha ? 4 : 3;
  const { width, height } = image;
  if (width === 0 || height === 0) {
    // It says no word of a file whose features it does not know, and gives a picture without pixels.
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} uses a feature that cannot be read here.`);
  }
  const warnings = [...depthWarning(image, from), ...(await toScreenColours(image))];
  const exif = profile("exif");
  const header = { width, height, channels, profile: profile("icc"), xmp: profile("xmp") } as const;
  await image.getPixels((pixels) =>
    writePng(output, { ...header, exif: exif && uprightExif(exif) }, rowsOf(pixels, header)),
  );
  return warnings;
};

/** PNG has no inks and no linear light. Inks are mixed as their profile says; it is of no use to what was mixed from them. */
const toScreenColours = async (image: IMagickImage): Promise<Warning[]> => {
  const inks = image.colorSpace === ColorSpace.CMYK;
  if (inks && image.hasProfile("icc")) {
    image.transformColorSpace(new ColorProfile(await screenProfile()));
    image.removeProfile("icc");
    return [];
  }
  if (!SCREEN_COLOURS.includes(image.colorSpace)) {
    image.colorSpace = ColorSpace.sRGB;
  }
  if (inks) {
    image.removeProfile("icc");
  }
  return inks ? [INKS_WARNING] : [];
};

/** @returns a profile of sRGB, which sharp brings along */
const screenProfile = async (): Promise<Uint8Array> => {
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } }).withIccProfile("srgb");
  const { icc } = await sharp(await dot.png().toBuffer()).metadata();
  return icc ?? new Uint8Array();
};

/** Developed pictures have as many bits as the developer was asked for. */
const depthWarning = ({ depth }: IMagickImage, from: FormatId): Warning[] =>
  depth <= 8 || formatOf(from).named === "raw"
    ? []
    : [{ code: "depth_reduced", detail: `The picture has ${depth} bits a channel; it was read with 8 of them.` }];

/** What a PNG's values mean: as seen on a screen, and what ImageMagick does not know. */
const SCREEN_COLOURS: readonly ColorSpace[] = [ColorSpace.sRGB, ColorSpace.Gray, ColorSpace.Undefined];

const INKS_WARNING: Warning = {
  code: "colours_converted",
  detail: "The picture is made of inks (CMYK); its colours were mixed without its profile, and may look stronger.",
};

const STRIPE_BYTES = 1_048_576;

/** @returns the pixels in stripes of about a megabyte, so that the picture is not in memory a second time */
const rowsOf = function* (
  pixels: IPixelCollection,
  { width, height, channels }: { width: number; height: number; channels: number },
): Generator<Uint8Array> {
  const step = Math.max(1, Math.floor(STRIPE_BYTES / (width * channels)));
  for (let y = 0; y < height; y += step) {
    const stripe = pixels.toByteArray(0, y, width, Math.min(step, height - y), channels === 4 ? "RGBA" : "RGB");
    if (stripe === null) {
      throw new Error(`ImageMagick gave no pixels from row ${y} on.`);
    }
    yield stripe;
  }
};
