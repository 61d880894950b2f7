import type { OptionRule, OptionRules, Range, RangesByChoice, Refusal } from "../../option-rules.ts";
import { widest } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";
import { type AudioCodec, type AudioCodecName, audioCodecs, type VideoCodec, videoCodecs } from "./codecs.ts";
import { type ContainerCodecs, type ContainerId, containerCodecs } from "./container-codecs.ts";

/** @returns the codecs, ranges and defaults of a target, for a conversion with these options */
export const mediaRules = (to: ContainerId, options: readonly OptionName[]): OptionRules => {
  const { video, audio }: ContainerCodecs = containerCodecs[to];
  const sounds = options.includes("audio_codec") ? (audio.offered ?? [audio.codec]) : [audio.codec];
  return {
    ...(video && videoRules(video, options)),
    audio_codec: { only: [...sounds, "copy"], refused: copiedSound },
    audio_bitrate: ranged({ option: "audio_codec", otherwise: audio.codec, ranges: rangesOf(sounds, kilobits) }),
    strip_metadata: { only: ["none", "gps", "all"] },
    channels: { min: 1, max: Math.min(CHANNELS_MAX, ...[Math.max(...sounds.map(channelsMax))]) },
    sample_rate: sampleRates(sounds),
  };
};

const videoRules = (
  { codec, offered = [codec] }: NonNullable<ContainerCodecs["video"]>,
  options: readonly OptionName[],
): OptionRules => {
  const isChosen = options.includes("video_codec");
  const films = isChosen ? offered : [codec];
  const { crf }: VideoCodec = videoCodecs[codec];
  return {
    video_codec: { only: [...films, "copy"], refused: copiedFilm },
    crf: {
      ...ranged({ option: "video_codec", otherwise: codec, ranges: rangesOf(films, factors) }),
      // A source that is always encoded, with one codec.
      ...(crf && !isChosen && !options.includes("audio_bitrate") && { default: crf.default }),
    },
    background: { default: BACKGROUND },
    target_size: { ...TARGET_BYTES, refused: fixedRate },
  };
};

/** Sizes of films that are worth encoding. */
const TARGET_BYTES: Range = { min: 10_000, max: 1_000_000_000 };

/** The bit rate follows from the size. */
const fixedRate: Refusal = ({ crf, video_bitrate, video_codec }) => {
  const other =
    crf !== undefined ? "crf" : video_bitrate !== undefined ? "video_bitrate" : video_codec === "copy" && "video_codec";
  return other ? `\`target_size\` cannot be combined with \`${other}\`: it determines the bit rate.` : undefined;
};

/** @returns a check that refuses `copy` together with options that change the stream */
const copied =
  (codec: "audio_codec" | "video_codec", changes: readonly OptionName[]): Refusal =>
  (options) => {
    const change = changes.find(
      (name) => options[name] !== undefined && options[name] !== "keep" && options[name] !== "drop",
    );
    return options[codec] === "copy" && change !== undefined
      ? `\`${codec}\` cannot be \`copy\` together with \`${change}\`, which needs encoding.`
      : undefined;
  };

const TRIMMED = ["trim_start", "trim_end"] as const;
const copiedSound = copied("audio_codec", ["volume", "loudness", "sample_rate", "channels", ...TRIMMED]);
const copiedFilm = copied("video_codec", [
  ...(["width", "height", "fps", "rotate", "subtitles", "subtitles_upload_id"] as const),
  ...TRIMMED,
]);

/** Color of padding and of transparent pixels, because video has no transparency. */
export const BACKGROUND = "#ffffff";

/** The maximum of the option `channels`, although some formats have more. */
const CHANNELS_MAX = 8;

const channelsMax = (name: AudioCodecName): number => audioCodecs[name].channelsMax;

const ranged = (by: RangesByChoice): OptionRule => ({ ...widest(Object.values(by.ranges)), by });

const rangesOf = <Name extends string>(
  names: readonly Name[],
  rangeOf: (name: Name) => Range | undefined,
): Record<string, Range> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const range = rangeOf(name);
      return range === undefined ? [] : [[name, range]];
    }),
  );

const kilobits = (name: AudioCodecName): Range | undefined => {
  const { bits }: AudioCodec = audioCodecs[name];
  return bits && { min: bits.min / 1_000, max: bits.max / 1_000 };
};

const factors = (name: keyof typeof videoCodecs): Range | undefined => {
  const { crf }: VideoCodec = videoCodecs[name];
  return crf && { min: 0, max: crf.max };
};

/** The minimum of the option `sample_rate`, although AAC has a lower one. */
const SAMPLE_RATE_MIN = 8_000;

const sampleRates = (sounds: readonly AudioCodecName[]): OptionRule => {
  const rates = sounds.map((name) => (audioCodecs[name] satisfies AudioCodec as AudioCodec).rates);
  const known = rates.flatMap((each) => (each === undefined ? [] : [each]));
  return known.length < rates.length
    ? {}
    : { min: Math.max(SAMPLE_RATE_MIN, Math.min(...known.flat())), max: Math.max(...known.flat()) };
};
