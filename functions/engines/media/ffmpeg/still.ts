import { stat } from "node:fs/promises";
import { MAGICK_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { STILLS } from "../../../domain/conversions/fallback-readers.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type EngineResult, type EngineTask, rowFor } from "../../core/engine.ts";
import { orientationOf } from "../../pictures/metadata/orientation.ts";
import { tiffPages } from "../../pictures/sharp/tiff-pages.ts";
import { opening } from "./demuxers.ts";
import { runFfmpeg } from "./run.ts";
import { inputError } from "./stderr.ts";

/** The demuxer of each image format. */
const DEMUXERS: Readonly<Record<(typeof STILLS)[number], string>> = {
  jpg: "jpeg_pipe",
  png: "png_pipe",
  webp: "webp_pipe",
  gif: "gif",
  tiff: "tiff_pipe",
  avif: "mov",
  bmp: "bmp_pipe",
  jxl: "jpegxl_pipe",
  jp2: "j2k_pipe",
  j2k: "j2k_pipe",
  psd: "psd_pipe",
  qoi: "qoi_pipe",
  dds: "dds_pipe",
  pcx: "pcx_pipe",
  sgi: "sgi_pipe",
  ras: "sunrast_pipe",
  dpx: "dpx_pipe",
  ppm: "ppm_pipe",
  pgm: "pgm_pipe",
  pbm: "pbm_pipe",
  xpm: "xpm_pipe",
  xbm: "xbm_pipe",
};

/** @returns whether the conversion reads an image that other engines have refused */
export const isStill = ({ from, to }: Pick<EngineTask, "from" | "to">): boolean =>
  to === "png" && STILLS.some((format) => format === from);

/** Filters that turn pixels upright, by EXIF orientation. ffmpeg drops EXIF, so a viewer could not. */
const UPRIGHT: Readonly<Record<number, string>> = {
  2: "hflip",
  3: "hflip,vflip",
  4: "vflip",
  5: "transpose=cclock_flip",
  6: "transpose=clock",
  7: "transpose=clock_flip",
  8: "transpose=cclock",
};

/** The decoder of WebP expects EXIF without the prefix that most programs write. We read it ourselves. */
const HARMLESS = /invalid TIFF header in Exif data/;

/**
 * Writes the first frame of an image as an upright PNG. Decoders continue after damage and only report it, so any error
 * that ffmpeg prints fails the conversion.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`, `too_many_pixels`
 */
export const convertStill = async ({ input, output, folder, from }: EngineTask): Promise<EngineResult> => {
  const turn = UPRIGHT[orientationOf(input, from)];
  const ran = await runFfmpeg({
    arguments: [
      ...["-xerror", "-max_pixels", String(MAGICK_PIXELS_MAX), "-noautorotate"],
      ...opening(input, rowFor<string>(DEMUXERS, from, "ffmpeg")),
      ...["-map", "0:v:0", "-frames:v", "1", ...(turn === undefined ? [] : ["-vf", turn])],
      ...["-c:v", "png", "-f", "image2", "-update", "1", `file:${output}`],
    ],
    folder,
    secondsMax: 1,
  });
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  const damage = ran.stderr.split("\n").filter((line) => line.trim() !== "" && !HARMLESS.test(line));
  if (ran.code !== 0 || damage.length > 0 || size === 0) {
    throw inputError(ran.stderr, from) ?? corrupt(from, ran.stderr);
  }
  const { length } = from === "tiff" ? await tiffPages(input) : [0];
  return { warnings: length > 1 ? [pagesDropped(length)] : [] };
};

const pagesDropped = (pages: number): Warning => ({
  code: "pages_dropped",
  detail: `The file has ${pages} pages; the result contains only the first one.`,
});

const corrupt = (from: FormatId, cause: string): JobError =>
  new JobError("source_corrupt", `The ${formatOf(from).name} could not be read.`, { cause });
