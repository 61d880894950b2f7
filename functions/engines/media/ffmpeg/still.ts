import { stat } from "node:fs/promises";
import { MAGICK_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { STILLS } from "../../../domain/conversions/fallback-readers.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import { type EngineResult, type EngineTask, rowFor } from "../../core/engine.ts";
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

/**
 * Writes the first frame of an image as a PNG. Decoders continue after damage and only report it, so any error that
 * ffmpeg prints fails the conversion.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`, `too_many_pixels`
 */
export const convertStill = async ({ input, output, folder, from }: EngineTask): Promise<EngineResult> => {
  const ran = await runFfmpeg({
    arguments: [
      ...["-xerror", "-max_pixels", String(MAGICK_PIXELS_MAX)],
      ...opening(input, rowFor<string>(DEMUXERS, from, "ffmpeg")),
      ...["-map", "0:v:0", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-update", "1", `file:${output}`],
    ],
    folder,
    secondsMax: 1,
  });
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  if (ran.code !== 0 || ran.stderr !== "" || size === 0) {
    throw inputError(ran.stderr, from) ?? corrupt(from, ran.stderr);
  }
  return { warnings: [] };
};

const corrupt = (from: FormatId, cause: string): JobError =>
  new JobError("source_corrupt", `The ${formatOf(from).name} could not be read.`, { cause });
