import type { AudioCodecName } from "../../../domain/conversions/by-engine/media/codecs.ts";
import type { Setting } from "./settings.ts";

/** How an audio codec is written; `audioCodecs` has its limits. Names are ffmpeg's. */
export interface SoundCodec {
  readonly encoder: string;
  readonly name: string;
  /** From this bit rate on, a faster encoder setting is good enough. */
  readonly ample?: { readonly from: number; readonly settings: readonly Setting[] };
  /** Default settings, instead of a bit rate. */
  readonly quality?: readonly Setting[];
  /** Sample formats for 8, 16, 24 and 32 bits and for floats, if supported. */
  readonly samples?: Partial<Record<Depth, readonly Setting[]>>;
}

export type Depth = "8" | "16" | "24" | "32" | "float";

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
    // Takes a third less time than the default 5, by skipping noise shaping.
    ample: { from: 160_000, settings: [["compression_level", "7"]] },
  },
  aac: {
    encoder: "aac",
    name: "AAC",
  },
  vorbis: {
    encoder: "libvorbis",
    name: "Vorbis",
    quality: [["q", "5"]],
  },
  opus: {
    encoder: "libopus",
    name: "Opus",
  },
  ac3: {
    encoder: "ac3",
    name: "AC-3",
  },
  eac3: {
    encoder: "eac3",
    name: "E-AC-3",
  },
  mp2: {
    encoder: "mp2",
    name: "MP2",
  },
  wmav2: {
    encoder: "wmav2",
    name: "Windows Media Audio",
  },
  flac: { encoder: "flac", name: "FLAC", samples: exact("s16", "s32") },
  alac: { encoder: "alac", name: "ALAC", samples: exact("s16p", "s32p") },
  wavpack: {
    encoder: "wavpack",
    name: "WavPack",
    samples: { ...exact("s16p", "s32p"), "32": [["sample_fmt", "s32p"]], float: [["sample_fmt", "fltp"]] },
  },
  tta: { encoder: "tta", name: "TTA", samples: exact("s16", "s32") },
  pcm: pcm("le", "pcm_u8"),
  pcm_be: pcm("be", "pcm_s8"),
} as const satisfies Record<AudioCodecName, SoundCodec>;
