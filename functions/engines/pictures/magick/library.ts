import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initializeImageMagick, MagickFormat, ResourceLimits } from "@imagemagick/magick-wasm";
import { MAGICK_PIXELS_MAX, PICTURE_FRAMES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";

const CODERS: ReadonlySet<string> = new Set(Object.values(MagickFormat));

const isCoder = (name: string): name is MagickFormat => CODERS.has(name);

/**
 * The coder is always specified, so that no file reaches another one of ImageMagick's two hundred coders, and because
 * some formats have no magic bytes. Our format ids are the coder names.
 */
export const coderOf = (format: FormatId): MagickFormat => {
  const name = format.toUpperCase();
  if (!isCoder(name)) {
    throw new TypeError(`ImageMagick does not support ${formatOf(format).name}.`);
  }
  return name;
};

/** Size of the pixel cache: one byte per channel, and at most five channels of {@link MAGICK_PIXELS_MAX} pixels. */
const CACHE_BYTES_MAX = 5 * MAGICK_PIXELS_MAX;

/** Maximum side length, as in JPEG: a strip with this length and a height of one pixel is still valid. */
const SIDE_PIXELS_MAX = 65_535;

const initialize = async (): Promise<void> => {
  await initializeImageMagick(await readFile(wasmPath()));
  // ImageMagick does not enforce time limits: one set here had no effect on decoding. The pool handles timeouts.
  ResourceLimits.area = BigInt(MAGICK_PIXELS_MAX);
  ResourceLimits.width = BigInt(SIDE_PIXELS_MAX);
  ResourceLimits.height = BigInt(SIDE_PIXELS_MAX);
  ResourceLimits.memory = BigInt(CACHE_BYTES_MAX);
  ResourceLimits.listLength = BigInt(PICTURE_FRAMES_MAX);
  ResourceLimits.disk = 0n;
};

/** Loading takes 150 ms and 120 MB, so it is deferred to the first file, and done once per process. */
let loading: Promise<void> | undefined;
export const load = (): Promise<void> => {
  loading ??= initialize();
  return loading;
};

/** On Lambda the package is in a layer, which only `NODE_PATH` locates; this kind of resolver uses it. */
const wasmPath = (): string => createRequire(import.meta.url).resolve("@imagemagick/magick-wasm/magick.wasm");
