import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import type { ContainerId } from "./container-codecs.ts";
import { COMMON as SOUNDS } from "./ffmpeg-audio.ts";
import { BACKGROUND, mediaRules } from "./media-rules.ts";

/** Common video formats, and those of discs, broadcasts and cameras. */
const COMMON = [
  ...["mp4", "m4v", "mov", "mkv", "webm", "avi", "wmv", "flv", "mpg", "ts", "3gp"],
] as const satisfies readonly FormatId[];
const RARE = ["asf", "vob", "m2ts", "3g2", "ogv", "mxf", "rm", "dv"] as const satisfies readonly FormatId[];
const SILENT = ["y4m"] as const satisfies readonly FormatId[];

/** Sources of rarely requested targets. */
const USUAL = ["mp4", "mov", "mkv", "webm", "avi", "wmv"] as const satisfies readonly FormatId[];

const PART = ["trim_start", "trim_end"] as const satisfies readonly OptionName[];
const FRAME = ["width", "height", "fit", "background", "rotate"] as const satisfies readonly OptionName[];
const SOUND = [
  ...PART,
  ...(["sample_rate", "channels", "volume", "loudness", "strip_metadata"] as const),
] as const satisfies readonly OptionName[];
const FILM = [
  ...FRAME,
  ...SOUND,
  ...(["fps", "subtitles", "subtitles_upload_id", "video_bitrate", "audio_bitrate"] as const),
] as const satisfies readonly OptionName[];
const CODED = ["crf", ...FILM] as const satisfies readonly OptionName[];
const CHOSEN = [
  ...(["video_codec", "audio_codec", "target_size"] as const),
  ...CODED,
] as const satisfies readonly OptionName[];

type ImageTarget = Omit<ConversionRow, "from">;
type Target = ImageTarget & { readonly to: ContainerId };

/** Costs are for re-encoding one minute of 720p; copying the codecs costs a hundredth. */
const ASKED_FOR: readonly Target[] = [
  { to: "mp4", fidelity: "lossy", options: CHOSEN, loses: ["pictures"], costMs: 20_000 },
  { to: "mov", fidelity: "lossy", options: CHOSEN, loses: ["pictures"], costMs: 20_000 },
  { to: "mkv", fidelity: "lossy", options: CHOSEN, loses: ["pictures"], costMs: 20_000 },
  { to: "webm", fidelity: "lossy", options: CHOSEN, costMs: 60_000 },
];

const SELDOM: readonly Target[] = [
  { to: "m4v", fidelity: "lossy", options: CHOSEN, loses: ["pictures"], costMs: 20_000 },
  { to: "flv", fidelity: "lossy", options: CODED, costMs: 20_000 },
  { to: "wmv", fidelity: "lossy", options: FILM, loses: ["pictures"], costMs: 10_000 },
  { to: "mpg", fidelity: "lossy", options: FILM, costMs: 10_000 },
  { to: "vob", fidelity: "lossy", options: FILM, loses: ["subtitles"], costMs: 10_000 },
  { to: "ts", fidelity: "lossy", options: CODED, loses: ["subtitles"], costMs: 20_000 },
  { to: "m2ts", fidelity: "lossy", options: CODED, loses: ["subtitles"], costMs: 20_000 },
  { to: "3gp", fidelity: "lossy", options: CODED, loses: ["subtitles"], costMs: 20_000 },
  { to: "3g2", fidelity: "lossy", options: CODED, loses: ["subtitles"], costMs: 20_000 },
  { to: "ogv", fidelity: "lossy", options: FILM, loses: ["subtitles"], costMs: 40_000 },
];

/** The audio of a video. */
const HEARD: readonly Target[] = [
  { to: "mp3", fidelity: "lossy", options: ["audio_bitrate", ...SOUND], costMs: 1_500 },
  { to: "wav", fidelity: "lossless", options: SOUND, costMs: 300 },
];
const HEARD_TOO: readonly Target[] = [
  { to: "m4a", fidelity: "lossy", options: ["audio_codec", "audio_bitrate", ...SOUND], costMs: 1_500 },
  { to: "aac", fidelity: "lossy", options: ["audio_bitrate", ...SOUND], costMs: 1_500 },
  { to: "ogg", fidelity: "lossy", options: ["audio_bitrate", ...SOUND], costMs: 1_500 },
  {
    to: "opus",
    fidelity: "lossy",
    options: ["audio_bitrate", ...SOUND.filter((name) => name !== "sample_rate")],
    costMs: 1_500,
  },
  { to: "flac", fidelity: "lossless", options: SOUND, costMs: 300 },
];

/** Quality of images of a video. */
export const FRAME_QUALITY = { jpg: 92, webp: 75 } as const;

const IMAGE = { background: { default: BACKGROUND } } as const satisfies OptionRules;

/** Images of a video. Last steps, so that no route leads from a video through them to other image formats. */
const SEEN: readonly ImageTarget[] = [
  { to: "gif", fidelity: "lossy", options: ["fps", ...PART, ...FRAME], rules: IMAGE, costMs: 10_000, last: true },
  {
    to: "jpg",
    fidelity: "lossy",
    options: ["at", "frames", "columns", "quality", ...FRAME],
    rules: { ...IMAGE, quality: { default: FRAME_QUALITY.jpg } },
    costMs: 400,
    last: true,
  },
  {
    to: "png",
    fidelity: "lossy",
    options: ["at", "frames", "columns", ...FRAME],
    rules: IMAGE,
    costMs: 400,
    last: true,
  },
];
const SEEN_TOO: readonly ImageTarget[] = [
  {
    to: "webp",
    fidelity: "lossy",
    options: ["fps", "quality", ...PART, ...FRAME],
    rules: { ...IMAGE, quality: { default: FRAME_QUALITY.webp } },
    costMs: 20_000,
    last: true,
  },
  { to: "apng", fidelity: "lossy", options: ["fps", ...PART, ...FRAME], rules: IMAGE, costMs: 10_000, last: true },
];

const rows = (from: readonly FormatId[], targets: readonly ImageTarget[]): ConversionRow[] =>
  targets.map((target) => ({ ...target, from }));

const films = (from: readonly FormatId[], targets: readonly Target[]): ConversionRow[] =>
  targets.map((target) => ({ ...target, from, rules: mediaRules(target.to, target.options) }));

/** Options of a film that is made of several: each one is taken whole. */
const JOINED = [
  ...(["width", "height", "fps", "crf", "video_bitrate", "audio_bitrate"] as const),
  ...(["sample_rate", "channels", "volume", "video_codec", "audio_codec"] as const),
] as const satisfies readonly OptionName[];

const isOf = (to: ContainerId, name: OptionName): boolean =>
  (name !== "audio_codec" || to === "m4a") &&
  (name !== "audio_bitrate" || (to !== "flac" && to !== "wav")) &&
  (name !== "sample_rate" || to !== "opus");

const HEARD_JOINED = JOINED.filter(
  (name) => !["width", "height", "fps", "crf", "video_bitrate", "video_codec"].includes(name),
);

/** @returns the rules of the target, without `copy`: films that follow each other are encoded */
const joinedRules = (to: ContainerId, options: readonly OptionName[]): OptionRules =>
  Object.fromEntries(
    Object.entries(mediaRules(to, options)).map(([name, rule]) => [
      name,
      rule.only === undefined ? rule : { ...rule, only: rule.only.filter((choice) => choice !== "copy") },
    ]),
  );

/** Recordings one after the other, in the size and with the channels of the first one. */
export const ffmpegMerges: readonly ConversionRow[] = [
  ...(["mp4", "mov", "mkv", "webm"] as const).map(
    (to): ConversionRow => ({
      from: COMMON,
      to,
      fidelity: "lossy",
      options: JOINED,
      rules: joinedRules(to, JOINED),
      costMs: 40_000,
    }),
  ),
  ...(["mp3", "m4a", "ogg", "opus", "flac", "wav"] as const).map((to): ConversionRow => {
    const options = HEARD_JOINED.filter((name) => isOf(to, name));
    return {
      from: [...SOUNDS, ...COMMON],
      to,
      fidelity: to === "flac" || to === "wav" ? "lossless" : "lossy",
      options,
      rules: joinedRules(to, options),
      costMs: 8_000,
    };
  }),
];

/** First steps only: an image that was converted to GIF or WebP on the way has one frame, and is not a video. */
const animated = (to: ContainerId, costMs: number): ConversionRow => {
  const options = [...FRAME, ...PART, "fps", "video_bitrate", ...(to === "avi" ? [] : (["crf"] as const))] as const;
  const row = { from: ["gif", "webp"], to, fidelity: "lossy", costMs, first: true } as const;
  return { ...row, options, rules: mediaRules(to, options) };
};

/** A film for streaming. */
const STREAMED: ConversionRow = {
  from: COMMON,
  to: "zip",
  fidelity: "lossy",
  options: ["zip_content", "sizes", ...CODED],
  rules: {
    ...mediaRules("mp4", CODED),
    zip_content: { only: ["hls"], default: "hls" },
    subtitles: { only: ["burn", "drop"], default: "drop" },
  },
  costMs: 20_000,
  first: true,
  last: true,
};

/** Video conversions of ffmpeg. */
export const ffmpegVideoConversions: readonly ConversionRow[] = [
  ...films([...COMMON, ...RARE, ...SILENT], ASKED_FOR),
  ...rows([...COMMON, ...RARE, ...SILENT], SEEN),
  ...rows(COMMON, SEEN_TOO),
  ...films(COMMON, [{ to: "avi", fidelity: "lossy", options: FILM, costMs: 10_000 }]),
  ...films(USUAL, SELDOM),
  ...films([...COMMON, ...RARE], HEARD),
  ...films(COMMON, HEARD_TOO),
  STREAMED,
  animated("mp4", 3_000),
  animated("mov", 3_000),
  animated("mkv", 3_000),
  animated("webm", 9_000),
  animated("avi", 2_000),
  ...(["srt", "vtt", "ass"] as const).map(
    (to): ConversionRow => ({
      from: ["mp4", "m4v", "mov", "mkv", "webm"],
      to,
      fidelity: "lossy",
      options: PART,
      costMs: 300,
      last: true,
    }),
  ),
];
