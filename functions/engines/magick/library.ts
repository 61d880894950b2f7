import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initializeImageMagick, MagickFormat, ResourceLimits } from "@imagemagick/magick-wasm";
import { MAGICK_PIXELS_MAX, PICTURE_FRAMES_MAX } from "../../domain/conversion-limits.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";

const CODERS: ReadonlySet<string> = new Set(Object.values(MagickFormat));

const isCoder = (name: string): name is MagickFormat => CODERS.has(name);

/**
 * The coder is named, so that no bytes reach another one of ImageMagick's two hundred, and because some formats have no
 * mark of their own. Our ids are its names.
 */
export const coderOf = (format: FormatId): MagickFormat => {
  const name = format.toUpperCase();
  if (!isCoder(name)) {
    throw new TypeError(`ImageMagick does not know ${formatOf(format).name}.`);
  }
  return name;
};

/** Bytes of the pixel cache: one byte a channel, and at most five channels of {@link MAGICK_PIXELS_MAX} pixels. */
const CACHE_BYTES_MAX = 5 * MAGICK_PIXELS_MAX;

/** Pixels of a side, as a JPEG has it: a strip of this length and one pixel is still a picture. */
const SIDE_PIXELS_MAX = 65_535;

const initialize = async (): Promise<void> => {
  await initializeImageMagick(await readFile(wasmPath()));
  // It keeps no time limit: a time set here had no effect on a decoding. The pool ends what takes too long.
  ResourceLimits.area = BigInt(MAGICK_PIXELS_MAX);
  ResourceLimits.width = BigInt(SIDE_PIXELS_MAX);
  ResourceLimits.height = BigInt(SIDE_PIXELS_MAX);
  ResourceLimits.memory = BigInt(CACHE_BYTES_MAX);
  ResourceLimits.listLength = BigInt(PICTURE_FRAMES_MAX);
  ResourceLimits.disk = 0n;
};

/** Loading takes 150 ms and 120 MB, so it waits for the first file, and a process does it once. */
let loading: Promise<void> | undefined;
export const load = (): Promise<void> => {
  loading ??= initialize();
  return loading;
};

/** On Lambda the package lies in a layer, which only `NODE_PATH` tells; a resolver of this kind follows it. */
const wasmPath = (): string => createRequire(import.meta.url).resolve("@imagemagick/magick-wasm/magick.wasm");
