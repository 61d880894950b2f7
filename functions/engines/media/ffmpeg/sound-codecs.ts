import type { Setting } from "./settings.ts";

/** How an audio codec is written. Names are ffmpeg's. */
export interface SoundCodec {
  readonly encoder: string;
  readonly name: string;
  /** Supported sample rates, ascending. @default any */
  readonly rates?: readonly number[];
  readonly channelsMax: number;
  /** Bits per second for each channel, and in total. @default lossless */
  readonly bits?: { readonly channel: number; readonly min: number; readonly max: number };
  /** From this bit rate on, a faster encoder setting is good enough. */
  readonly ample?: { readonly from: number; readonly settings: readonly Setting[] };
  /** Default settings, instead of a bit rate. */
  readonly quality?: readonly Setting[];
  /** Sample formats for 8, 16, 24 and 32 bits and for floats, if supported. */
  readonly samples?: Partial<Record<Depth, readonly Setting[]>>;
}

export type Depth = "8" | "16" | "24" | "32" | "float";

const MPEG_RATES = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const LOW_RATES = [8_000, 11_025, 12_000, ...MPEG_RATES];

/** FLAC, ALAC, TTA and WavPack store 24 bits in 32-bit words. */
const exact = (short: string, long: string): Partial<Record<Depth, readonly Setting[]>> => ({
  "16": [["sample_fmt", short]],
  "24": [
    ["sample_fmt", long],
    ["bits_per_raw_sample", "24"],
  ],
});

/** PCM has one codec per depth: little-endian, or big-endian for AIFF and AU. */
const pcm = (end: "le" | "be", byte: string): SoundCodec => ({
  encoder: `pcm_s16${end}`,
  name: "PCM",
  channelsMax: 16,
  samples: {
    "8": [["c", byte]],
    "16": [["c", `pcm_s16${end}`]],
    "24": [["c", `pcm_s24${end}`]],
    "32": [["c", `pcm_s32${end}`]],
    float: [["c", `pcm_f32${end}`]],
  },
});

export const soundCodecs = {
  mp3: {
    encoder: "libmp3lame",
    name: "MP3",
    rates: LOW_RATES,
    channelsMax: 2,
    bits: { channel: 96_000, min: 32_000, max: 320_000 },
    // Takes a third less time than the default 5, by skipping noise shaping.
    ample: { from: 160_000, settings: [["compression_level", "7"]] },
  },
  aac: {
    encoder: "aac",
    name: "AAC",
    rates: [7_350, ...LOW_RATES, 64_000, 88_200, 96_000],
    channelsMax: 8,
    bits: { channel: 80_000, min: 24_000, max: 512_000 },
  },
  vorbis: {
    encoder: "libvorbis",
    name: "Vorbis",
    rates: [...LOW_RATES, 64_000, 88_200, 96_000, 176_400, 192_000],
    channelsMax: 8,
    bits: { channel: 80_000, min: 48_000, max: 500_000 },
    quality: [["q", "5"]],
  },
  opus: {
    encoder: "libopus",
    name: "Opus",
    rates: [48_000],
    channelsMax: 8,
    bits: { channel: 64_000, min: 12_000, max: 510_000 },
  },
  ac3: {
    encoder: "ac3",
    name: "AC-3",
    rates: [32_000, 44_100, 48_000],
    channelsMax: 6,
    bits: { channel: 96_000, min: 64_000, max: 640_000 },
  },
  eac3: {
    encoder: "eac3",
    name: "E-AC-3",
    rates: [32_000, 44_100, 48_000],
    channelsMax: 6,
    bits: { channel: 96_000, min: 64_000, max: 640_000 },
  },
  mp2: {
    encoder: "mp2",
    name: "MP2",
    rates: MPEG_RATES,
    channelsMax: 2,
    bits: { channel: 128_000, min: 64_000, max: 320_000 },
  },
  wmav2: {
    encoder: "wmav2",
    name: "Windows Media Audio",
    rates: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
    channelsMax: 2,
    bits: { channel: 96_000, min: 32_000, max: 320_000 },
  },
  flac: { encoder: "flac", name: "FLAC", channelsMax: 8, samples: exact("s16", "s32") },
  alac: { encoder: "alac", name: "ALAC", channelsMax: 8, samples: exact("s16p", "s32p") },
  wavpack: {
    encoder: "wavpack",
    name: "WavPack",
    channelsMax: 16,
    samples: { ...exact("s16p", "s32p"), "32": [["sample_fmt", "s32p"]], float: [["sample_fmt", "fltp"]] },
  },
  tta: { encoder: "tta", name: "TTA", channelsMax: 16, samples: exact("s16", "s32") },
  pcm: pcm("le", "pcm_u8"),
  pcm_be: pcm("be", "pcm_s8"),
} as const satisfies Record<string, SoundCodec>;

export type SoundCodecName = keyof typeof soundCodecs;
