import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  ColorProfile,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
} from "@imagemagick/magick-wasm";
import sharp from "sharp";
import type { FormatId } from "../../../functions/domain/formats.ts";

/** A picture as a viewer shows it that knows colour profiles but not the EXIF orientation: in sRGB, on white. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** The orientation that is still to be applied; 1: none. */
  readonly orientation: number;
  /** The first frame, three bytes a pixel. */
  readonly pixels: Uint8Array;
}

/** Our ids are ImageMagick's names, but for these. */
const CODERS: Partial<Record<FormatId, MagickFormat>> = {
  jpg: MagickFormat.Jpeg,
  apng: MagickFormat.Png,
};

const coderOf = (format: FormatId): MagickFormat => {
  const name = CODERS[format] ?? format.toUpperCase();
  const coder = Object.values(MagickFormat).find((known) => known === name);
  if (coder === undefined) {
    throw new TypeError(`ImageMagick is not asked for ${format} here.`);
  }
  return coder;
};

/** @returns what ImageMagick sees in a file; it shares no decoder with sharp but those that both have from upstream */
export const viewByMagick = async (path: string, format: FormatId): Promise<View> => {
  await load();
  const coder = coderOf(format);
  const srgb = new ColorProfile(await sRgbProfile());
  return ImageMagick.readCollection(readFileSync(path), coder, (images) => {
    const [first] = images;
    if (first === undefined) {
      throw new Error(`ImageMagick sees nothing in ${path}.`);
    }
    const { width, height, orientation } = first;
    first.transformColorSpace(srgb);
    return { width, height, frames: images.length, orientation: orientation || 1, pixels: onWhite(first) };
  });
};

/** @returns what sharp sees in a file */
export const viewBySharp = async (path: string): Promise<View> => {
  const { pages = 1, orientation = 1 } = await sharp(path).metadata();
  const { data, info } = await sharp(path)
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, frames: pages, orientation, pixels: data };
};

/** @returns the mean difference of two pictures of one size, per channel, 0 to 255 */
export const distance = (one: Uint8Array, other: Uint8Array): number => {
  if (one.length !== other.length) {
    throw new Error(`The pictures have ${one.length} and ${other.length} bytes.`);
  }
  const sum = one.reduce((total, value, index) => total + Math.abs(value - (other[index] ?? 0)), 0);
  return sum / one.length;
};

let loading: Promise<void> | undefined;
const load = (): Promise<void> => {
  const wasm = createRequire(import.meta.url).resolve("@imagemagick/magick-wasm/magick.wasm");
  loading ??= initializeImageMagick(readFileSync(wasm));
  return loading;
};

const sRgbProfile = async (): Promise<Uint8Array> => {
  const white = sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } });
  const { icc } = await sharp(await white.withIccProfile("srgb").png().toBuffer()).metadata();
  return icc ?? new Uint8Array();
};

const onWhite = (image: IMagickImage): Uint8Array => {
  const rgba = image.getPixels((pixels) => pixels.toByteArray(0, 0, image.width, image.height, "RGBA")) ?? [];
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (const index of rgb.keys()) {
    const pixel = Math.floor(index / 3) * 4;
    const alpha = (rgba[pixel + 3] ?? 0) / 255;
    rgb[index] = Math.round((rgba[pixel + (index % 3)] ?? 0) * alpha + 255 * (1 - alpha));
  }
  return rgb;
};
