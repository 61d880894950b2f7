import { join } from "node:path";
import { FRAME_QUALITY } from "../../../domain/conversions/by-engine/media/ffmpeg-video.ts";
import { BACKGROUND } from "../../../domain/conversions/by-engine/media/media-rules.ts";
import { checkResult as checkSize } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { encoded } from "./encode.ts";
import type { Input } from "./input.ts";
import { runFfmpeg } from "./run.ts";
import { filmOf, shownSize } from "./source.ts";

/** Width of a frame on the sheet, and the space around it, in pixels. */
const FRAME_WIDTH = 320;
const GAP = 4;

/** Seconds of the sheet's input, in which each frame takes one, with room. */
const SECONDS_MAX = 1_000;

/**
 * Frames of a video, evenly spaced in time, in rows on one image. Each frame is read at its time, so a long video takes
 * no longer than a short one.
 *
 * @throws JobError `unsupported_feature` without a video or its duration, `too_many_pixels`
 */
export const writeSheet = async (task: EngineTask, input: Input): Promise<EngineResult> => {
  const { frames = 1, columns = Math.ceil(Math.sqrt(frames)), ...options } = task.options;
  const film = filmOf(input.source);
  const seconds = film?.seconds ?? input.source.seconds;
  if (film === undefined || seconds === undefined) {
    const { name } = formatOf(task.from);
    throw new JobError("unsupported_feature", `The ${name} file has no video, or does not declare its duration.`);
  }
  const { width = options.height === undefined ? FRAME_WIDTH : undefined } = options;
  const rows = Math.ceil(frames / columns);
  const shown = shownSize(film);
  const scale = (width ?? ((options.height ?? 0) * shown.width) / shown.height) / shown.width;
  const [across, down] = [shown.width * scale, options.height ?? shown.height * scale].map(Math.round);
  const result = { width: columns * (across ?? 0), height: rows * (down ?? 0) };
  checkSize({ scaled: result, result, frames: 1, to: task.to });
  for (let index = 0; index < frames; index += 1) {
    const at = (seconds * (index + 0.5)) / frames;
    const output = join(task.folder, `frame-${index}.png`);
    await encoded({ ...task, to: "png", output, options: { ...options, width, at }, progress: () => {} }, input);
    task.progress((index + 1) / (frames + 1));
  }
  await tile(task, `${columns}x${rows}`);
  return { warnings: [] };
};

const tile = async ({ folder, output, to, options }: EngineTask, layout: string): Promise<void> => {
  const { background = BACKGROUND, quality = FRAME_QUALITY.jpg } = options;
  const color = `0x${hexOf(background)}`;
  const scale = String(Math.max(2, Math.round(31 - 0.29 * quality)));
  const pixels = to === "jpg" ? ["scale=out_range=pc", "format=yuvj420p"] : ["format=rgb24"];
  const filters = [`tile=${layout}:padding=${GAP}:margin=${GAP}:color=${color}`, ...pixels].join(",");
  const { code, stderr } = await runFfmpeg({
    arguments: [
      ...["-f", "image2", "-framerate", "1", "-start_number", "0", "-i", "frame-%d.png", "-filter:v", filters],
      ...["-frames:v", "1", ...(to === "jpg" ? ["-c:v", "mjpeg", "-q:v", scale] : ["-c:v", "png"])],
      ...["-f", "image2", "-update", "1", `file:${output}`],
    ],
    folder,
    secondsMax: SECONDS_MAX,
  });
  if (code !== 0) {
    throw new Error(`ffmpeg could not write the contact sheet: ${stderr.slice(-2_000)}`);
  }
};

const hexOf = (color: string): string => {
  const hex = color.slice(1);
  return (hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex).slice(0, 6);
};
