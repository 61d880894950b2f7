import {
  type AudioCodec,
  type AudioCodecName,
  audioCodecs,
} from "../../../domain/conversions/by-engine/media/codecs.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { Encoding, Setting } from "./settings.ts";
import { type Depth, type SoundCodec, soundCodecs } from "./sound-codecs.ts";
import type { AudioTrack } from "./source.ts";

type Codec = AudioCodec & SoundCodec;

/** Channel layouts that all encoders with this channel count support. */
const LAYOUTS = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"];

/**
 * @returns the encoding of the track: properties that the codec does not support become the nearest supported ones,
 * with a warning
 */
export const soundEncoding = (name: AudioCodecName, track: AudioTrack, options: Options): Encoding => {
  const codec: Codec = { ...audioCodecs[name], ...soundCodecs[name] };
  const channels = Math.min(options.channels ?? track.channels, codec.channelsMax);
  const wanted = options.sample_rate ?? track.rate;
  const rate = rateFor(codec, wanted);
  // Opus has only one rate, which loses nothing; a requested rate can.
  const isUsual = name === "opus" && options.sample_rate === undefined;
  const layout = LAYOUTS[(track.isPlaced ? channels : track.channels) - 1];
  const isOdd = !track.isPlaced || (channels > 2 && codec.bits !== undefined);
  const { volume = 1 } = options;
  return {
    filters: [
      ...(volume === 1 ? [] : [`volume=${volume}`]),
      ...(isOdd && layout !== undefined ? [`aformat=channel_layouts=${layout}`] : []),
    ],
    settings: [
      ["c", codec.encoder],
      ...depthSettings(codec, track),
      ...(rate === track.rate ? [] : [["ar", String(rate)] as const]),
      ...(channels === track.channels ? [] : [["ac", String(channels)] as const]),
      ...bitSettings(codec, track, { channels, rate, requested: options.audio_bitrate }),
    ],
    warnings: [
      ...(channels < (options.channels ?? track.channels) ? [channelsWarning(codec, track, channels)] : []),
      ...(rate === wanted || isUsual ? [] : [rateWarning(codec, wanted, rate)]),
    ],
  };
};

/** The next higher rate has no audible loss; above the highest, the highest is used. */
const rateFor = ({ rates }: AudioCodec, wanted: number): number =>
  rates === undefined ? wanted : (rates.find((rate) => rate >= wanted) ?? rates.at(-1) ?? wanted);

const LOSSLESS = /^(?:pcm_|flac|alac|wavpack|tta|ape|tak|dsd|mlp|truehd|shorten|wmalossless|mp4als)/;

/** @returns the lossless bit depth: sources with lossy encoding have at most 16 significant bits */
const depthOf = ({ codec, samples, bits }: AudioTrack): Depth => {
  if (!LOSSLESS.test(codec)) {
    return "16";
  }
  if (/^(?:flt|dbl)/.test(samples)) {
    return codec.startsWith("dsd") ? "24" : "float";
  }
  return samples.startsWith("u8") ? "8" : bits > 24 ? "32" : bits > 16 || samples.startsWith("s32") ? "24" : "16";
};

/** A smaller depth would round, a larger one is padding: use the next supported depth. */
const DEEPER = ["8", "16", "24", "32", "float"] as const satisfies readonly Depth[];

const depthSettings = ({ samples }: SoundCodec, track: AudioTrack): readonly Setting[] => {
  if (samples === undefined) {
    return [];
  }
  const from = DEEPER.indexOf(depthOf(track));
  const depth = DEEPER.slice(from).find((name) => name in samples) ?? "24";
  return samples[depth] ?? [];
};

/** Codecs no more efficient than MP3: re-encoding needs no more than their bit rate. */
const NO_THRIFTIER = ["mp3", "mp2", "wmav1", "wmav2", "ac3", "amr_nb", "amr_wb"];

interface Wanted {
  readonly channels: number;
  readonly rate: number;
  /** Kilobits per second. */
  readonly requested: number | undefined;
}

const bitSettings = (
  { bits, quality, ample }: Codec,
  track: AudioTrack,
  { channels, rate, requested }: Wanted,
): Setting[] => {
  if (bits === undefined || (requested === undefined && quality !== undefined)) {
    return [...(quality ?? [])];
  }
  const own = NO_THRIFTIER.includes(track.codec) ? track.bitsPerSecond : undefined;
  const usual = Math.min(bits.channel * channels, own === undefined ? bits.max : Math.max(own, bits.min));
  // Half the sample rate justifies half the bit rate: MPEG's limits are halved too.
  const most = rate < LOW_RATE ? bits.max / 2 : bits.max;
  const wanted = requested === undefined ? usual : requested * 1_000;
  const spent = Math.round(Math.max(bits.min, Math.min(most, wanted)));
  return [["b", String(spent)], ...(ample !== undefined && spent >= ample.from ? ample.settings : [])];
};

const LOW_RATE = 32_000;

const channelsWarning = ({ name }: SoundCodec, { channels }: AudioTrack, kept: number): Warning => ({
  code: "channels_mixed",
  detail: `${name} supports at most ${kept} channels; the ${channels} channels were downmixed.`,
});

const rateWarning = ({ name }: SoundCodec, wanted: number, rate: number): Warning => ({
  code: "sound_resampled",
  detail: `${name} does not support a sample rate of ${wanted} Hz; the output has ${rate} Hz.`,
});
