import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  ColorProfile,
  ColorSpace,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
} from "@imagemagick/magick-wasm";
import sharp from "sharp";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";

/** A picture as shown by a viewer that applies color profiles but not the EXIF orientation: in sRGB, on white. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** The orientation that is not yet applied; 1: none. */
  readonly orientation: number;
  /** The first frame, three bytes per pixel. */
  readonly pixels: Uint8Array;
}

/** Our IDs equal ImageMagick's names, except these. */
const CODERS: Partial<Record<FormatId, MagickFormat>> = {
  jpg: MagickFormat.Jpeg,
  apng: MagickFormat.Png,
};

const coderOf = (format: FormatId): MagickFormat => {
  const name = CODERS[format] ?? format.toUpperCase();
  const coder = Object.values(MagickFormat).find((known) => known === name);
  if (coder === undefined) {
    throw new TypeError(`ImageMagick is not used for ${format} in these tests.`);
  }
  return coder;
};

/** @returns the picture as read by ImageMagick; it shares only upstream decoders with sharp */
export const viewByMagick = async (
  path: string,
  format: FormatId,
  which: "first" | "largest" = "first",
): Promise<View> => {
  await load();
  const coder = coderOf(format);
  const srgb = new ColorProfile(await sRgbProfile());
  return ImageMagick.readCollection(readFileSync(path), coder, (images) => {
    const sorted = which === "first" ? [...images] : [...images].sort((one, other) => other.width - one.width);
    const [first] = sorted;
    if (first === undefined) {
      throw new Error(`ImageMagick cannot read ${path}.`);
    }
    const { width, height, orientation } = first;
    if (first.colorSpace === ColorSpace.RGB) {
      first.colorSpace = ColorSpace.sRGB;
    }
    first.transformColorSpace(srgb);
    return {
      width,
      height,
      frames: images.length,
      orientation: orientation || 1,
      pixels: onWhite(shown(rgbaOf(first), format)),
    };
  });
};

/** @returns the picture as read by sharp */
export const viewBySharp = async (path: string): Promise<View> => {
  const { pages = 1, orientation = 1 } = await sharp(path).metadata();
  const { data, info } = await sharp(path)
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, frames: pages, orientation, pixels: data };
};

/** @returns the mean difference of two pictures of equal size, per channel, 0 to 255 */
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

/** ImageMagick returns linear light for OpenEXR, and calls it sRGB. */
const shown = (rgba: Uint8Array, format: FormatId): Uint8Array =>
  format === "exr" ? rgba.map((value, index) => (index % 4 === 3 ? value : (SRGB[value] ?? 0))) : rgba;

/** sRGB values by linear light, both 0 to 255 (IEC 61966-2-1). */
const SRGB = Uint8Array.from({ length: 256 }, (_, value) => {
  const light = value / 255;
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
});

const rgbaOf = (image: IMagickImage): Uint8Array =>
  image.getPixels((pixels) => pixels.toByteArray(0, 0, image.width, image.height, "RGBA")) ?? new Uint8Array();

/** @returns four-byte pixels blended onto white as three bytes */
export const onWhite = (rgba: Uint8Array): Uint8Array => {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (const index of rgb.keys()) {
    const pixel = Math.floor(index / 3) * 4;
    const alpha = (rgba[pixel + 3] ?? 0) / 255;
    rgb[index] = Math.round((rgba[pixel + (index % 3)] ?? 0) * alpha + 255 * (1 - alpha));
  }
  return rgb;
};
