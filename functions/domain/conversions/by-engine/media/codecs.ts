/**
 * The codecs that ffmpeg writes: the names of `video_codec` and `audio_codec`, and those that only one container has.
 */

/** Limits of an audio codec. */
export interface AudioCodec {
  /** Supported sample rates in Hz, ascending. @default any */
  readonly rates?: readonly number[];
  readonly channelsMax: number;
  /** Bits per second for each channel, and in total. @default lossless */
  readonly bits?: { readonly channel: number; readonly min: number; readonly max: number };
}

const MPEG_RATES = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const LOW_RATES = [8_000, 11_025, 12_000, ...MPEG_RATES];
const AC3_RATES = [32_000, 44_100, 48_000];
const WMA_RATES = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000];

export const audioCodecs = {
  mp3: { rates: LOW_RATES, channelsMax: 2, bits: { channel: 96_000, min: 32_000, max: 320_000 } },
  aac: {
    rates: [7_350, ...LOW_RATES, 64_000, 88_200, 96_000],
    channelsMax: 8,
    bits: { channel: 80_000, min: 24_000, max: 512_000 },
  },
  vorbis: {
    rates: [...LOW_RATES, 64_000, 88_200, 96_000, 176_400, 192_000],
    channelsMax: 8,
    bits: { channel: 80_000, min: 48_000, max: 500_000 },
  },
  opus: { rates: [48_000], channelsMax: 8, bits: { channel: 64_000, min: 12_000, max: 510_000 } },
  ac3: { rates: AC3_RATES, channelsMax: 6, bits: { channel: 96_000, min: 64_000, max: 640_000 } },
  eac3: { rates: AC3_RATES, channelsMax: 6, bits: { channel: 96_000, min: 64_000, max: 640_000 } },
  mp2: { rates: MPEG_RATES, channelsMax: 2, bits: { channel: 128_000, min: 64_000, max: 320_000 } },
  wmav2: { rates: WMA_RATES, channelsMax: 2, bits: { channel: 96_000, min: 32_000, max: 320_000 } },
  flac: { channelsMax: 8 },
  alac: { channelsMax: 8 },
  wavpack: { channelsMax: 16 },
  tta: { channelsMax: 16 },
  pcm: { channelsMax: 16 },
  pcm_be: { channelsMax: 16 },
} as const satisfies Record<string, AudioCodec>;

export type AudioCodecName = keyof typeof audioCodecs;

/** The constant rate factor of a video codec: the default, and the maximum; the minimum is 0. */
export interface VideoCodec {
  /** @default not supported */
  readonly crf?: { readonly default: number; readonly max: number };
}

export const videoCodecs = {
  h264: { crf: { default: 23, max: 51 } },
  hevc: { crf: { default: 26, max: 51 } },
  vp9: { crf: { default: 32, max: 63 } },
  av1: { crf: { default: 35, max: 63 } },
  mpeg4: {},
  mpeg2: {},
  theora: {},
  wmv2: {},
  prores: {},
} as const satisfies Record<string, VideoCodec>;

export type VideoCodecName = keyof typeof videoCodecs;
