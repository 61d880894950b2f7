import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { type Extra, encoded } from "../ffmpeg/encode.ts";
import type { Input } from "../ffmpeg/input.ts";
import { partOf } from "../ffmpeg/part.ts";
import { FRAMES_PER_SECOND } from "../ffmpeg/picture.ts";
import { filmOf, soundsOf, type VideoTrack } from "../ffmpeg/source.ts";

/** Encodings of one film. The first estimate is rarely off by more than a tenth. */
const TRIES_MAX = 4;

/** Share of the size that the streams may take: the rest is for the container, and for what encoders miss by. */
const STREAMS_SHARE = 0.96;

/** A result of at least this share of the size is good enough; a smaller one is encoded again, once. */
const FILLED_SHARE_MIN = 0.75;

/** The lowest bit rate of a video, in kbit/s: less is not a recognizable picture at any size. */
const VIDEO_KILOBITS_MIN = 20;

/** Bits per pixel below which a smaller frame looks better than a coarser one. */
const BITS_PER_PIXEL_MIN = 0.04;

/** A frame is not made smaller than this share of its sides. */
const SCALE_MIN = 0.25;

/**
 * A film of at most the requested size: with the bit rate that fits, and a smaller frame if that is too low for its size.
 * A film that already fits is copied as far as the target allows.
 *
 * @throws JobError `unsupported_feature` without a video or its duration
 */
export const writeFitting = async (
  { options: { target_size: bytesMax = 0, ...options }, ...task }: EngineTask,
  input: Input,
  extra: Extra,
): Promise<EngineResult> => {
  const { film, seconds } = timed(task, input, options);
  const fits = (await stat(task.input)).size <= bytesMax;
  let budget = Math.min((STREAMS_SHARE * bytesMax * 8) / 1_000 / seconds, await kilobitsOf(task.input, input));
  let best: Encoded | undefined;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const rates: Rates =
      fits && tries === 0 ? {} : ratesFor(budget, { film, options, hasSound: soundsOf(input.source).length > 0 });
    const output = join(task.folder, `fitting-${tries}`);
    const progress = (share: number) => task.progress((tries + share) / TRIES_MAX);
    const result = await encoded({ ...task, options: { ...options, ...rates }, output, progress }, input, extra);
    const made = { result, output, bytes: (await stat(output)).size };
    best = await better(best, made, bytesMax);
    const isFilled = made.bytes >= FILLED_SHARE_MIN * bytesMax || rates.video_bitrate === undefined || tries > 0;
    const isSmallest = rates.video_bitrate === VIDEO_KILOBITS_MIN;
    if (made.bytes <= bytesMax ? isFilled : isSmallest) {
      break;
    }
    budget *= (STREAMS_SHARE * bytesMax) / made.bytes;
  }
  if (best === undefined) {
    throw new TypeError("The film was encoded at least once.");
  }
  await rename(best.output, task.output);
  return { ...best.result, warnings: [...best.result.warnings, ...missedWarning(best.bytes, bytesMax)] };
};

interface Encoded {
  readonly result: EngineResult;
  readonly output: string;
  readonly bytes: number;
}

/** @returns the larger one of those that fit, else the smaller one; the file of the other is deleted */
const better = async (one: Encoded | undefined, other: Encoded, bytesMax: number): Promise<Encoded> => {
  if (one === undefined) {
    return other;
  }
  const [small, large] = one.bytes <= other.bytes ? [one, other] : [other, one];
  const [kept, rest] = large.bytes <= bytesMax ? [large, small] : [small, large];
  await rm(rest.output);
  return kept;
};

/** @throws JobError `unsupported_feature` */
const timed = ({ from, to }: Omit<EngineTask, "options">, { source }: Input, options: EngineTask["options"]) => {
  const film = filmOf(source);
  const { seconds } = partOf(
    { source, from, to, options, copies: false, covers: false },
    film?.seconds ?? source.seconds,
  );
  if (film === undefined || seconds === undefined || seconds <= 0) {
    const { name } = formatOf(from);
    throw new JobError("unsupported_feature", `The ${name} file has no video, or does not declare its duration.`);
  }
  return { film, seconds };
};

/** @returns the bit rate of the whole source: more than that adds nothing */
const kilobitsOf = async (path: string, { source }: Input): Promise<number> =>
  source.seconds === undefined ? Number.POSITIVE_INFINITY : ((await stat(path)).size * 8) / 1_000 / source.seconds;

interface Shape {
  readonly film: VideoTrack;
  readonly options: EngineTask["options"];
  readonly hasSound: boolean;
}

type Rates = Pick<EngineTask["options"], "audio_bitrate" | "fit" | "height" | "video_bitrate" | "width">;

/** @returns the options that make a film with this bit rate, in kbit/s */
const ratesFor = (budget: number, { film, options, hasSound }: Shape): Rates => {
  const audio_bitrate = options.audio_bitrate ?? soundKilobits(budget);
  const video_bitrate = Math.max(VIDEO_KILOBITS_MIN, Math.round(budget - (hasSound ? audio_bitrate : 0)));
  const framesPerSecond = options.fps ?? film.framesPerSecond ?? FRAMES_PER_SECOND;
  const bits = (1_000 * video_bitrate) / (film.width * film.height * framesPerSecond);
  const isSized = options.width !== undefined || options.height !== undefined;
  const scale = isSized ? 1 : Math.max(SCALE_MIN, Math.min(1, Math.sqrt(bits / BITS_PER_PIXEL_MIN)));
  // Both sides are limits, whatever the rotation.
  const side = 2 * Math.round((scale * Math.max(film.width, film.height)) / 2);
  return { video_bitrate, audio_bitrate, ...(scale < 1 && { width: side, height: side, fit: "inside" as const }) };
};

const soundKilobits = (budget: number): number =>
  budget >= 1_000 ? 128 : budget >= 400 ? 96 : budget >= 200 ? 64 : 32;

const missedWarning = (bytes: number, bytesMax: number): Warning[] =>
  bytes <= bytesMax
    ? []
    : [
        {
          code: "target_size_missed",
          detail: `The video cannot be compressed to ${bytesMax} bytes; the result is the smallest.`,
        },
      ];
