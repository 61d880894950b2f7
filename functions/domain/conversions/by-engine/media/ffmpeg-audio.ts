import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";
import type { ContainerId } from "./container-codecs.ts";
import { mediaRules } from "./media-rules.ts";

/** Common audio formats, and those of certain programs, cameras and players. */
const COMMON = [
  ...["mp3", "m4a", "m4b", "aac", "ogg", "opus", "flac", "wav", "aiff", "wma", "amr", "ac3", "mka", "caf"],
] as const satisfies readonly FormatId[];
const RARE = [
  ...["eac3", "dts", "mp2", "au", "w64", "ape", "wv", "tta", "dsf", "spx", "mod", "xm", "it", "s3m", "voc", "shn"],
] as const satisfies readonly FormatId[];

/** Sources of rarely requested targets. */
const USUAL = ["mp3", "m4a", "ogg", "flac", "wav", "aiff"] as const satisfies readonly FormatId[];

const EXACT = [
  ...["trim_start", "trim_end", "sample_rate", "channels", "volume", "strip_metadata"],
] as const satisfies readonly OptionName[];
const LOSSY = ["audio_bitrate", ...EXACT] as const satisfies readonly OptionName[];

type Target = Omit<ConversionRow, "from"> & { readonly to: ContainerId };

/** Costs are for four minutes of stereo music. */
const ASKED_FOR: readonly Target[] = [
  { to: "mp3", fidelity: "lossy", options: LOSSY, costMs: 4_000 },
  { to: "m4a", fidelity: "lossy", options: ["audio_codec", ...LOSSY], costMs: 4_500 },
  { to: "ogg", fidelity: "lossy", options: LOSSY, loses: ["pictures"], costMs: 5_500 },
  { to: "flac", fidelity: "lossless", options: EXACT, costMs: 1_000 },
  { to: "wav", fidelity: "lossless", options: EXACT, costMs: 400 },
];

const ALSO: readonly Target[] = [
  { to: "aac", fidelity: "lossy", options: LOSSY, costMs: 4_500 },
  // Opus has a fixed sample rate.
  {
    to: "opus",
    fidelity: "lossy",
    options: LOSSY.filter((name) => name !== "sample_rate"),
    loses: ["pictures"],
    costMs: 4_500,
  },
  { to: "aiff", fidelity: "lossless", options: EXACT, costMs: 400 },
  { to: "wma", fidelity: "lossy", options: LOSSY, loses: ["pictures"], costMs: 2_500 },
];

const SELDOM: readonly Target[] = [
  { to: "m4b", fidelity: "lossy", options: ["audio_codec", ...LOSSY], costMs: 4_500 },
  { to: "ac3", fidelity: "lossy", options: LOSSY, costMs: 1_500 },
  { to: "eac3", fidelity: "lossy", options: LOSSY, costMs: 1_500 },
  { to: "mp2", fidelity: "lossy", options: LOSSY, loses: ["metadata"], costMs: 1_500 },
  { to: "mka", fidelity: "lossless", options: ["audio_codec", ...LOSSY], loses: ["pictures"], costMs: 1_000 },
  { to: "caf", fidelity: "lossless", options: EXACT, costMs: 400 },
  { to: "au", fidelity: "lossless", options: EXACT, costMs: 400 },
  { to: "w64", fidelity: "lossless", options: EXACT, costMs: 400 },
  { to: "wv", fidelity: "lossless", options: EXACT, loses: ["pictures"], costMs: 1_000 },
  { to: "tta", fidelity: "lossless", options: EXACT, costMs: 1_000 },
];

const rows = (from: readonly FormatId[], targets: readonly Target[]): ConversionRow[] =>
  targets.map((target) => ({ ...target, from, rules: mediaRules(target.to, target.options) }));

/** @returns the rows of sources that commonly become any of the common audio formats */
export const audioRows = (from: readonly FormatId[]): ConversionRow[] => [
  ...rows(from, ASKED_FOR),
  ...rows(from, ALSO),
];

/** The size of a waveform in pixels. */
export const WAVES = { width: 1_200, height: 300 } as const;

/** Audio conversions of ffmpeg. */
export const ffmpegAudioConversions: readonly ConversionRow[] = [
  ...audioRows(COMMON),
  ...rows(RARE, ASKED_FOR),
  ...rows(USUAL, SELDOM),
  // A waveform: the loudness over time.
  {
    from: COMMON,
    to: "png",
    fidelity: "content_only",
    options: ["width", "height", "trim_start", "trim_end"],
    rules: { width: { default: WAVES.width }, height: { default: WAVES.height } },
    costMs: 800,
    last: true,
  },
];
