import { WAVES } from "../../../../domain/conversions/by-engine/media/ffmpeg-audio.ts";
import { FRAME_QUALITY } from "../../../../domain/conversions/by-engine/media/ffmpeg-video.ts";
import { PICTURE_FRAMES_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { secondsOf } from "../../../../domain/conversions/media-times.ts";
import type { Options } from "../../../../domain/conversions/options.ts";
import { JobError } from "../../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../../domain/formats/formats.ts";
import { framing } from "../framing.ts";
import { partOf } from "../part.ts";
import { FRAMES_PER_SECOND } from "../picture.ts";
import { filmOf, shownSize, soundsOf, type VideoTrack } from "../source.ts";
import type { Plan, Wanted } from "../task.ts";

/** Default frame rate and width of an animation, suited to messages and web pages. */
const ANIMATION_FPS = 12;
const ANIMATION_WIDTH = 480;

/**
 * A video as an animated picture.
 *
 * @throws JobError `output_too_large` if it would have too many frames, `unsupported_feature` if there is no video
 */
export const animationPlan = (wanted: Wanted): Plan => {
  const { source, to, options } = wanted;
  const film = filmIn(wanted);
  const part = partOf(wanted, film.seconds ?? source.seconds);
  const fps = options.fps ?? Math.min(ANIMATION_FPS, film.framesPerSecond ?? ANIMATION_FPS);
  checkFrames((part.seconds ?? 0) * fps);
  const { filters, warnings } = framing(film, sized(film, options), {});
  // A video shorter than one frame of the animation would have none.
  const rounding = (part.seconds ?? 0) * fps < 1 ? ":round=up" : "";
  const frames = [`fps=${fps}${rounding}`, ...filters];
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

/**
 * The first pass counts the colors of moving areas, because static areas occur once; the second pass uses the palette.
 */
const PALETTES = ["palettegen=stats_mode=diff", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"] as const;

const withFilter = (film: VideoTrack, filters: readonly string[]): string[] => [
  ...["-map", `0:${film.index}`, "-filter:v", filters.join(","), "-frames:v", "1", "-c:v", "png", "-f", "image2"],
  ...["-update", "1"],
];

const animationCodec = (to: FormatId, { quality = FRAME_QUALITY.webp }: Options): string[] =>
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
      `The animation would have ${Math.round(frames)} frames; the maximum is ${PICTURE_FRAMES_MAX}. ` +
        "Use trim_start and trim_end to select a part, or lower fps.",
    );
  }
};

/** Default position of the poster frame, as a share of the duration: first frames are often black. */
const POSTER_SHARE = 0.1;

/**
 * Streams without an index are entered at the next key frame, which may be after the requested moment or past the end.
 * Decoding therefore starts this many seconds earlier.
 */
const UNINDEXED: ReadonlySet<FormatId> = new Set(["ts", "m2ts", "mpg", "vob"]);
const RUN_UP_SECONDS = 12;

/** One frame of a video as a picture. */
export const posterPlan = (wanted: Wanted): Plan => {
  const { source, options } = wanted;
  const film = filmIn(wanted);
  const seconds = film.seconds ?? source.seconds ?? 0;
  const requested = secondsOf(options.at) ?? seconds * POSTER_SHARE;
  if (options.at !== undefined && seconds > 0 && requested >= seconds) {
    throw new JobError(
      "unsupported_feature",
      `The requested time (${requested} s) is past the end of the video (${seconds} s).`,
    );
  }
  const moment = seconds > 0 ? Math.min(requested, lastFrameOf(film, seconds)) : requested;
  const plan = frameAt(moment, wanted, film);
  // A video of one frame has none after its start, and a truncated one is shorter than it declares.
  return options.at === undefined && moment > 0 ? { ...plan, ifEmpty: frameAt(0, wanted, film) } : plan;
};

/** @param moment seconds from the start of the video */
const frameAt = (moment: number, { from, to, options }: Wanted, film: VideoTrack): Plan => {
  const jump = UNINDEXED.has(from) ? Math.max(0, moment - RUN_UP_SECONDS) : moment;
  const { filters, warnings } = framing(film, options, { flat: to === "jpg" });
  const pixels = to === "jpg" ? ["scale=out_range=pc", "format=yuvj420p"] : ["format=rgb24"];
  // The encoder's scale runs from 2 (best) to 31.
  const scale = String(Math.max(2, Math.round(31 - 0.29 * (options.quality ?? FRAME_QUALITY.jpg))));
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

/** @returns a moment just before the last frame: ffmpeg shows the first frame that starts at or after it */
const lastFrameOf = ({ framesPerSecond = FRAMES_PER_SECOND }: VideoTrack, seconds: number): number =>
  Math.max(0, seconds - 1 / framesPerSecond - 0.001);

const filmIn = ({ source, from }: Wanted): VideoTrack => {
  const film = filmOf(source);
  if (film === undefined) {
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} file has no video, only audio.`);
  }
  return film;
};

/** The waveform of a recording: loudness over time. */
export const wavesPlan = (wanted: Wanted): Plan => {
  const { source, from, options } = wanted;
  const [track] = soundsOf(source);
  if (track === undefined) {
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} file has no decodable audio.`);
  }
  const part = partOf(wanted, track.seconds ?? source.seconds);
  const { width = WAVES.width, height = WAVES.height } = options;
  // All samples are in memory at once: four hours at 8,000 Hz take 0.5 GB.
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
