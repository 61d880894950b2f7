import { writeFile } from "node:fs/promises";
import {
  CompressionMethod,
  type IMagickImage,
  MagickErrorSeverity,
  MagickFormat,
  MagickImage,
  MagickImageCollection,
  MagickReadSettings,
} from "@imagemagick/magick-wasm";
import { MAGICK_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { tiffPages } from "../sharp/tiff-pages.ts";
import { coderOf } from "./library.ts";
import { handOver, toScreen } from "./read.ts";

/** Formats that sharp reads. */
const COMMON: readonly FormatId[] = ["jpg", "png", "webp", "gif", "tiff", "avif"];

/** @returns whether the file has a format of sharp, which has refused it */
export const isCommon = (format: FormatId): boolean => COMMON.includes(format);

/**
 * Reads the first frame of an image that sharp has refused, turns it upright, and writes it as a PNG. ImageMagick fills
 * the missing part of a truncated image with gray and only warns, so its warnings about damage are errors here.
 *
 * @throws MagickError; JobError `source_corrupt`
 */
export const readCommon = async (bytes: Buffer, task: EngineTask): Promise<Warning[]> => {
  if (task.from === "avif" && bytes.toString("latin1", 4, 12) === "ftypavis") {
    // ImageMagick reads only the first frame; the next engine has all.
    throw new JobError("unsupported_feature", "The AVIF is an animation.");
  }
  const image = readImage(bytes, task);
  try {
    return await handOver(image, task);
  } finally {
    image.dispose();
  }
};

/** @returns the upright image at this index; dispose of it @throws MagickError; JobError `source_corrupt` */
const readImage = (bytes: Buffer, { from }: EngineTask, frameIndex = 0): IMagickImage => {
  const damages: string[] = [];
  const image = MagickImage.create();
  image.onWarning = ({ error }) => {
    if (error.severity === MagickErrorSeverity.CorruptImageWarning) {
      damages.push(error.message);
    }
    return 0;
  };
  try {
    image.read(bytes, new MagickReadSettings({ format: coderOf(from), frameIndex }));
    if (damages.length > 0) {
      throw new JobError("source_corrupt", `The ${formatOf(from).name} is damaged.`, { cause: damages[0] });
    }
    image.autoOrient();
    return image;
  } catch (error) {
    image.dispose();
    throw error;
  }
};

/**
 * Reads all pages of a TIFF that sharp has refused, and writes them as a TIFF of 8 bits per channel that it reads.
 *
 * @throws MagickError; JobError `source_corrupt`, `too_many_pixels`
 */
export const readPages = async (bytes: Buffer, task: EngineTask): Promise<Warning[]> => {
  const pages = MagickImageCollection.create();
  try {
    const warnings: Warning[] = [];
    const { length } = await tiffPages(task.input);
    let pixels = 0;
    for (let index = 0; index < length; index += 1) {
      const page = readImage(bytes, task, index);
      pages.push(page);
      pixels += page.width * page.height;
      if (pixels > MAGICK_PIXELS_MAX) {
        throw new JobError("too_many_pixels", `The pages have more than ${MAGICK_PIXELS_MAX} pixels, the limit.`);
      }
      warnings.push(...(await toScreen(page, task.from)));
      page.depth = 8;
      page.settings.compression = CompressionMethod.LZW;
    }
    await pages.write(MagickFormat.Tiff, (data) => writeFile(task.output, data));
    return warnings.filter(({ code }, index) => warnings.findIndex((other) => other.code === code) === index);
  } finally {
    pages.dispose();
  }
};
