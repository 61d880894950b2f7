import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { QUALITY } from "../../../domain/conversions/by-engine/pictures/qualities.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import type { OpenedPicture } from "../sharp/open.ts";
import { runFfmpeg } from "./run.ts";

/** Duration of a frame without one, in milliseconds, as in browsers. */
const FRAME_MS = 100;
const LIST = "frames.txt";
const MS_PER_SECOND = 1_000;

/** The muxer doubles the clock of milliseconds until it has at least 10,000 ticks per second. */
const TICKS_PER_MS = 16;

/** A filter that sets the duration of the last frame: a list of images ends where that frame starts. */
const lastDuration = (delay: readonly number[]): string =>
  `setts=duration=if(eq(N\\,${delay.length - 1})\\,${(delay.at(-1) || FRAME_MS) * TICKS_PER_MS}\\,DURATION)`;

/** Writes the frames as an animated AVIF; a second track contains their transparency. */
export const writeFrames = async (
  opened: OpenedPicture,
  { output, folder, options }: EngineTask,
): Promise<Warning[]> => {
  const { delay } = opened.animation ?? opened.plan;
  const isOpaque = await storeFrames(opened, delay, folder);
  const isWritten = await runFfmpeg(
    [
      // The list is ours: `-safe` would refuse its options.
      ...[
        "-f",
        "concat",
        "-safe",
        "0",
        "-i",
        LIST,
        "-filter_complex",
        isOpaque ? `[0:v]${toColors(options)}[color]` : split(options),
      ],
      ...["-map", "[color]", ...(isOpaque ? [] : ["-map", "[alpha]"])],
      ...["-vsync", "passthrough", "-enc_time_base", "1:1000", ...encoding(options)],
      ...["-bsf:v", lastDuration(delay), "-f", "avif", `file:${output}`],
    ],
    folder,
  );
  if (!isWritten) {
    throw new JobError("engine_failed", "The animated AVIF could not be written.");
  }
  return [];
};

/** Stores each frame as a file, and the list with their durations. @returns whether all are opaque */
const storeFrames = async ({ picture }: OpenedPicture, delay: readonly number[], folder: string): Promise<boolean> => {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const height = info.height / delay.length;
  const size = info.width * height * 4;
  const lines = ["ffconcat version 1.0"];
  let isOpaque = true;
  for (const [index, milliseconds] of delay.entries()) {
    const raw = { width: info.width, height, channels: 4 } as const;
    const frame = sharp(data.subarray(index * size, (index + 1) * size), { raw });
    isOpaque &&= (await frame.clone().stats()).isOpaque;
    await frame.png({ compressionLevel: 1 }).toFile(join(folder, `frame-${index}.png`));
    const seconds = (milliseconds || FRAME_MS) / MS_PER_SECOND;
    lines.push(`file frame-${index}.png`, `option framerate ${MS_PER_SECOND}`, `duration ${seconds}`);
  }
  await writeFile(join(folder, LIST), `${lines.join("\n")}\n`);
  return isOpaque;
};

/** Lossless frames stay RGB. Others keep the color resolution: animations are often drawings. */
const toColors = ({ lossless = false }: Options): string =>
  lossless ? "format=gbrp" : "scale=out_color_matrix=bt709:out_range=pc,format=yuv444p";

const split = (options: Options): string =>
  `[0:v]format=rgba,split[a][b];[b]alphaextract,format=gray[alpha];[a]${toColors(options)}[color]`;

/** Quantizers of AV1. */
const QUANTIZER_MAX = 63;

const encoding = ({ quality = QUALITY.avif, lossless = false }: Options): string[] => [
  ...["-c:v", "libaom-av1", "-cpu-used", "8", "-row-mt", "1"],
  ...["-crf", String(lossless ? 0 : Math.round(((100 - quality) * QUANTIZER_MAX) / 100)), "-b:v", "0"],
  ...(lossless ? ["-aom-params", "lossless=1"] : COLORS),
];

/** sRGB with full range. */
const COLORS = [
  ...["-colorspace:v:0", "bt709", "-color_primaries:v:0", "bt709"],
  ...["-color_trc:v:0", "iec61966-2-1", "-color_range:v", "pc"],
];
