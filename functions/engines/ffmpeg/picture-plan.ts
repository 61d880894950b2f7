import { PICTURE_FRAMES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { Options } from "../../domain/options.ts";
import { framing } from "./framing.ts";
import { partOf, secondsOf } from "./part.ts";
import { filmOf, shownSize, soundsOf, type VideoTrack } from "./source.ts";
import type { Plan, Wanted } from "./task.ts";

/** Frames a second of an animation, and pixels of its width: what a message or a page bears. */
const ANIMATION_FPS = 12;
const ANIMATION_WIDTH = 480;

/**
 * A film as an animated picture.
 *
 * @throws JobError `output_too_large` when it would have too many frames, `unsupported_feature` when there is no film
 */
export const animationPlan = (wanted: Wanted): Plan => {
  const { source, to, options } = wanted;
  const film = filmIn(wanted);
  const part = partOf(wanted, film.seconds ?? source.seconds);
  const fps = options.fps ?? Math.min(ANIMATION_FPS, film.framesPerSecond ?? ANIMATION_FPS);
  checkFrames((part.seconds ?? 0) * fps);
  const { filters, warnings } = framing(film, sized(film, options), {});
  const frames = [`fps=${fps}`, ...filters];
  const take = ["-map", `0:${film.index}`, "-filter:v", frames.join(",")];
  const plan = {
    reading: part.reading,
    holds: [],
    seconds: part.seconds,
    warnings,
    secondsMax: PICTURE_FRAMES_MAX / fps,
  };
  if (to === "gif") {
    const [before, last] = PALETTES;
    return {
      ...plan,
      before: [{ writing: withFilter(film, [...frames, before]), file: PALETTE }],
      further: ["-f", "png_pipe", "-i", `file:${PALETTE}`],
      writing: ["-filter_complex", `[0:${film.index}]${frames.join(",")}[film];[film][1:v]${last}`, "-f", "gif"],
    };
  }
  return { ...plan, writing: [...take, "-an", "-sn", ...animationCodec(to, options)] };
};

const PALETTE = "palette.png";

/** Colours are counted where something moves, since the rest is seen once; the second pass uses them. */
const PALETTES = ["palettegen=stats_mode=diff", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"] as const;

const withFilter = (film: VideoTrack, filters: readonly string[]): string[] => [
  ...["-map", `0:${film.index}`, "-filter:v", filters.join(","), "-frames:v", "1", "-c:v", "png", "-f", "image2"],
  ...["-update", "1"],
];

const animationCodec = (to: FormatId, { quality = 75 }: Options): string[] =>
  to === "webp"
    ? ["-c:v", "libwebp_anim", "-quality", String(quality), "-pix_fmt", "yuv420p", "-loop", "0", "-f", "webp"]
    : ["-c:v", "apng", "-pix_fmt", "rgb24", "-plays", "0", "-f", "apng"];

const sized = (film: VideoTrack, options: Options): Options =>
  options.width === undefined && options.height === undefined
    ? { ...options, width: Math.min(ANIMATION_WIDTH, shownSize(film).width) }
    : options;

const checkFrames = (frames: number): void => {
  if (frames > PICTURE_FRAMES_MAX) {
    throw new JobError(
      "output_too_large",
      `The animation would have ${Math.round(frames)} frames; at most ${PICTURE_FRAMES_MAX} are allowed. ` +
        "Ask for a part of the film with trim_start and trim_end, or for fewer frames with fps.",
    );
  }
};

/** Share of the film after which its picture is taken, where nobody says when: the first frames are often black. */
const POSTER_SHARE = 0.1;

/**
 * Streams without an index are entered at the next key frame, which may be behind the wanted moment, or behind the end: so
 * many seconds before it frames are decoded.
 */
const UNINDEXED: ReadonlySet<FormatId> = new Set(["ts", "m2ts", "mpg", "vob"]);
const RUN_UP_SECONDS = 12;

/** One frame of a film as a picture. */
export const posterPlan = (wanted: Wanted): Plan => {
  const { source, from, to, options } = wanted;
  const film = filmIn(wanted);
  const seconds = film.seconds ?? source.seconds ?? 0;
  const moment = secondsOf(options.at) ?? seconds * POSTER_SHARE;
  if (options.at !== undefined && seconds > 0 && moment >= seconds) {
    throw new JobError("unsupported_feature", `The film ends at ${seconds} s, before the moment ${moment} s.`);
  }
  const jump = UNINDEXED.has(from) ? Math.max(0, moment - RUN_UP_SECONDS) : moment;
  const { filters, warnings } = framing(film, options, { flat: to === "jpg" });
  const pixels = to === "jpg" ? ["scale=out_range=pc", "format=yuvj420p"] : ["format=rgb24"];
  // The encoder counts from 2, the finest, to 31.
  const scale = String(Math.max(2, Math.round(31 - 0.29 * (options.quality ?? 92))));
  return {
    reading: jump > 0 ? ["-ss", jump.toFixed(3)] : [],
    writing: [
      ...(moment > jump ? ["-ss", (moment - jump).toFixed(3)] : []),
      ...["-map", `0:${film.index}`, "-frames:v", "1", "-filter:v", [...filters, ...pixels].join(",")],
      ...(to === "jpg" ? ["-c:v", "mjpeg", "-q:v", scale] : ["-c:v", "png"]),
      ...["-f", "image2", "-update", "1"],
    ],
    holds: [],
    seconds: undefined,
    warnings,
  };
};

const filmIn = ({ source, from }: Wanted): VideoTrack => {
  const film = filmOf(source);
  if (film === undefined) {
    throw new JobError("unsupported_feature", `There is no film in the ${formatOf(from).name}, only sound.`);
  }
  return film;
};

const WAVES = { width: 1_200, height: 300 };

/** The loudness of a recording, drawn over its time. */
export const wavesPlan = (wanted: Wanted): Plan => {
  const { source, from, options } = wanted;
  const [track] = soundsOf(source);
  if (track === undefined) {
    throw new JobError("unsupported_feature", `There is no sound in the ${formatOf(from).name} that could be decoded.`);
  }
  const part = partOf(wanted, track.seconds ?? source.seconds);
  const { width = WAVES.width, height = WAVES.height } = options;
  // All samples are in memory at once: four hours of 8,000 a second are 0.5 GB.
  const drawn = `aresample=8000,aformat=channel_layouts=mono,showwavespic=s=${width}x${height}:colors=0x2563eb:scale=sqrt`;
  return {
    reading: part.reading,
    writing: [
      ...["-filter_complex", `[0:${track.index}]${drawn}`, "-frames:v", "1", "-c:v", "png", "-f", "image2"],
      ...["-update", "1"],
    ],
    holds: [],
    seconds: undefined,
    warnings: [],
  };
};
