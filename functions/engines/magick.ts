import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  ColorSpace,
  type IMagickImage,
  ImageMagick,
  type IPixelCollection,
  initializeImageMagick,
  Magick,
  MagickError,
  MagickFormat,
  ResourceLimits,
} from "@imagemagick/magick-wasm";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import { MAGICK_PIXELS_MAX, PICTURE_FRAMES_MAX } from "../domain/limits.ts";
import type { Engine, EngineTask } from "./engine.ts";
import { writePng } from "./io/png-writer.ts";
import { breaksOff } from "./io/whole.ts";

/**
 * Pictures that sharp does not read, by ImageMagick as WebAssembly (with libheif and libde265 for HEIC). It only decodes:
 * the result is an uncompressed PNG with the colour profile, EXIF and XMP, from which sharp makes what was asked for.
 */
export const magickEngine: Engine = {
  name: "magick",
  version: async () => {
    await load();
    return Magick.imageMagickVersion;
  },
  convert: async (task) => {
    await load();
    if (await breaksOff(task.input, task.from)) {
      throw new JobError("source_corrupt", `The ${formatOf(task.from).name} breaks off before its end.`);
    }
    const bytes = await readFile(task.input);
    try {
      return { warnings: await ImageMagick.read(bytes, coderOf(task), (image) => handOver(image, task)) };
    } catch (error) {
      throw error instanceof MagickError ? translated(error, task.from) : error;
    }
  },
};

/** The coder is named, so that no bytes reach another one of ImageMagick's two hundred. */
const CODERS: Partial<Record<FormatId, MagickFormat>> = {
  heic: MagickFormat.Heic,
  bmp: MagickFormat.Bmp,
  jxl: MagickFormat.Jxl,
  jp2: MagickFormat.Jp2,
  psd: MagickFormat.Psd,
  qoi: MagickFormat.Qoi,
};

const coderOf = ({ from, to }: EngineTask): MagickFormat => {
  const coder = to === "png" ? CODERS[from] : undefined;
  if (coder === undefined) {
    throw new TypeError(`magick does not turn ${from} into ${to}.`);
  }
  return coder;
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
const load = (): Promise<void> => {
  loading ??= initialize();
  return loading;
};

/** On Lambda the package lies in a layer, which only `NODE_PATH` tells; a resolver of this kind follows it. */
const wasmPath = (): string => createRequire(import.meta.url).resolve("@imagemagick/magick-wasm/magick.wasm");

const handOver = async (image: IMagickImage, { output, from }: EngineTask): Promise<Warning[]> => {
  const profile = (name: string) => image.getProfile(name)?.data;
  const channels = image.hasAlpha ? 4 : 3;
  const { width, height } = image;
  if (width === 0 || height === 0) {
    // It says no word of a file whose features it does not know, and gives a picture without pixels.
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} uses a feature that cannot be read here.`);
  }
  const inks = image.colorSpace === ColorSpace.CMYK;
  if (inks) {
    // PNG has no inks. Their profile, which says how they look on paper, is of no use to what is mixed from them.
    image.colorSpace = ColorSpace.sRGB;
  }
  const exif = profile("exif");
  const header = { width, height, channels, profile: inks ? undefined : profile("icc"), xmp: profile("xmp") } as const;
  await image.getPixels((pixels) =>
    writePng(output, { ...header, exif: exif && uprightExif(exif) }, rowsOf(pixels, header)),
  );
  return inks ? [INKS_WARNING] : [];
};

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

const ORIENTATION = 0x0112;

/**
 * libheif has turned the pixels as the file's own properties say, and by ISO/IEC 23008-12 the EXIF tag says nothing
 * more: it is set to 1, so that the next step does not turn them once more.
 *
 * @returns the TIFF structure of the EXIF data, without the six bytes that JPEG puts before it
 */
const uprightExif = (exif: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(exif);
  const tiff = bytes.toString("latin1", 0, 6) === "Exif\0\0" ? bytes.subarray(6) : bytes;
  const little = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = tiff.length < 8 ? 0 : little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (short(at) === ORIENTATION && at + 12 <= tiff.length) {
      tiff.set(little ? [1, 0] : [0, 1], at + 8);
    }
  }
  return tiff;
};

const MEANINGS = [
  [/ExceedsLimit|ResourcesExhausted|MemoryAllocationFailed|Security limit/, "too_many_pixels"],
  [/Unsupported|NotSupported/, "unsupported_feature"],
] as const;

const translated = ({ message }: MagickError, from: FormatId): JobError => {
  const code = MEANINGS.find(([words]) => words.test(message))?.[1] ?? "source_corrupt";
  const name = formatOf(from).name;
  if (code === "too_many_pixels") {
    return new JobError(code, `The ${name} has more than ${MAGICK_PIXELS_MAX} pixels, which is the most allowed.`);
  }
  // The name of a temporary file follows in quotes, and libheif's own number before it in brackets.
  const reason = message
    .split(/\s*(?:\(\d+\.\d+\)|`)/, 1)[0]
    ?.replaceAll(/[^\x20-\x7e]+/g, " ")
    .replace(/\.$/, "")
    .trim();
  return new JobError(code, `The ${name} could not be read: ${reason || "unknown error"}.`);
};
