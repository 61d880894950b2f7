import type { FormatId } from "../../../domain/formats/formats.ts";
import type { PictureCodecName } from "./picture.ts";
import type { SoundCodecName } from "./sound-codecs.ts";

/** A container for video or audio: which codecs are copied unchanged, and how others are encoded. */
export interface Container {
  /** The muxer and its options. */
  readonly muxer: readonly string[];
  readonly film?: FilmPart;
  readonly sound: SoundPart;
  /** Codec for text subtitles. @default none supported */
  readonly texts?: string;
  /** Subtitle codecs that are copied unchanged. */
  readonly subtitles?: readonly string[];
  /** Whether all audio tracks are kept. @default only the first */
  readonly allSounds?: boolean;
  readonly cover?: boolean;
}

interface FilmPart {
  /** Codecs that its players expect, by ffmpeg name. */
  readonly copied: readonly string[];
  readonly codec: PictureCodecName;
  /** Allowed values of `video_codec`, mapped to codec names. */
  readonly offered?: readonly PictureCodecName[];
  /** Whether it stores the rotation of a video. */
  readonly turns?: boolean;
  /** Whether it requires a constant frame rate. */
  readonly isSteady?: boolean;
  /** Whether its players require 4:2:0 color, in 8 bits (or 10 bits for newer codecs). */
  readonly plain?: boolean;
}

interface SoundPart {
  readonly copied: readonly string[];
  readonly codec: SoundCodecName;
  readonly offered?: readonly SoundCodecName[];
}

const PCM = ["pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_u8"];
const PCM_BE = ["pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_f32be", "pcm_s8"];

/** Audio-only output: the muxer, the codec, and which other codecs are copied. */
const sound = (muxer: readonly string[], codec: SoundCodecName, copied: readonly string[]): Container => ({
  muxer,
  sound: { codec, copied },
});

/** Writes the index at the start of the file, so that playback can start while it downloads. */
const FAST_START = ["-movflags", "+faststart"];

/** MP4 is made for H.264, HEVC and AV1; players expect VP9 only in WebM, and older codecs nowhere. */
const mp4 = (muxer: readonly string[]): Container => ({
  muxer: [...muxer, ...FAST_START],
  film: {
    copied: ["h264", "hevc", "av1"],
    codec: "h264",
    offered: ["h264", "hevc", "av1", "vp9"],
    turns: true,
    plain: true,
  },
  sound: {
    copied: ["aac", "mp3", "ac3", "eac3", "alac"],
    codec: "aac",
    offered: ["aac", "mp3", "ac3", "opus", "flac", "alac"],
  },
  texts: "mov_text",
  allSounds: true,
});

/** Phones of that time decode only basic H.264; the audio is AAC or AMR. */
const phone = (muxer: string): Container => ({
  muxer: ["-f", muxer, ...FAST_START],
  film: { copied: ["h264", "h263", "mpeg4"], codec: "h264", turns: true, plain: true },
  sound: { copied: ["aac", "amr_nb", "amr_wb"], codec: "aac" },
});

const programStream = (codec: SoundCodecName): Container => ({
  muxer: ["-f", "vob"],
  film: { copied: ["mpeg1video", "mpeg2video"], codec: "mpeg2", isSteady: true },
  sound: { copied: ["mp2", "ac3"], codec },
});

const transportStream = (options: readonly string[]): Container => ({
  muxer: ["-f", "mpegts", ...options],
  film: { copied: ["h264", "hevc", "mpeg2video", "mpeg1video"], codec: "h264" },
  sound: { copied: ["aac", "mp2", "mp3", "ac3", "eac3", "dts"], codec: "aac" },
  allSounds: true,
});

const asf: Container = {
  muxer: ["-f", "asf"],
  film: { copied: ["wmv1", "wmv2", "wmv3", "vc1"], codec: "wmv2" },
  sound: { copied: ["wmav1", "wmav2", "wmapro", "wmalossless"], codec: "wmav2" },
};

const m4a = (muxer: readonly string[]): Container => ({
  muxer: [...muxer, ...FAST_START],
  sound: { copied: ["aac", "alac", "ac3", "eac3"], codec: "aac", offered: ["aac", "alac"] },
  cover: true,
});

export const containers: Partial<Record<FormatId, Container>> = {
  mp3: { ...sound(["-f", "mp3", "-id3v2_version", "3"], "mp3", ["mp3"]), cover: true },
  m4a: m4a(["-f", "ipod"]),
  m4b: m4a(["-f", "ipod", "-brand", "M4B "]),
  aac: sound(["-f", "adts"], "aac", ["aac"]),
  ogg: sound(["-f", "ogg"], "vorbis", ["vorbis"]),
  opus: sound(["-f", "opus"], "opus", ["opus"]),
  flac: { ...sound(["-f", "flac"], "flac", ["flac"]), cover: true },
  wav: sound(["-f", "wav", "-rf64", "auto"], "pcm", PCM),
  w64: sound(["-f", "w64"], "pcm", PCM),
  aiff: { ...sound(["-f", "aiff", "-write_id3v2", "1"], "pcm_be", PCM_BE), cover: true },
  caf: sound(["-f", "caf"], "pcm", [...PCM, ...PCM_BE, "alac"]),
  au: sound(["-f", "au"], "pcm_be", PCM_BE),
  wma: sound(["-f", "asf"], "wmav2", ["wmav1", "wmav2", "wmapro", "wmalossless"]),
  ac3: sound(["-f", "ac3"], "ac3", ["ac3"]),
  eac3: sound(["-f", "eac3"], "eac3", ["eac3"]),
  mp2: sound(["-f", "mp2"], "mp2", ["mp2"]),
  wv: sound(["-f", "wv"], "wavpack", ["wavpack"]),
  tta: sound(["-f", "tta"], "tta", ["tta"]),
  mka: {
    muxer: ["-f", "matroska"],
    sound: {
      copied: ["aac", "mp3", "mp2", "vorbis", "opus", "flac", "alac", "ac3", "eac3", "dts", "wavpack", "tta", ...PCM],
      codec: "flac",
      offered: ["flac", "aac", "mp3", "opus", "vorbis", "ac3"],
    },
    allSounds: true,
  },
  mp4: mp4(["-f", "mp4"]),
  m4v: mp4(["-f", "mp4", "-brand", "M4V "]),
  mov: {
    muxer: ["-f", "mov", ...FAST_START],
    film: {
      copied: ["h264", "hevc", "prores", "mpeg4", "mjpeg", "dnxhd"],
      codec: "h264",
      offered: ["h264", "hevc", "prores"],
      turns: true,
    },
    sound: {
      copied: ["aac", "mp3", "ac3", "eac3", "alac", ...PCM, ...PCM_BE],
      codec: "aac",
      offered: ["aac", "mp3", "ac3", "alac", "pcm"],
    },
    texts: "mov_text",
    allSounds: true,
  },
  mkv: {
    muxer: ["-f", "matroska"],
    film: {
      copied: [
        ...["h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mpeg2video", "mpeg1video", "theora", "mjpeg", "prores"],
        ...["ffv1", "dnxhd", "vc1"],
      ],
      codec: "h264",
      offered: ["h264", "hevc", "av1", "vp9"],
    },
    sound: {
      copied: ["aac", "mp3", "mp2", "vorbis", "opus", "flac", "ac3", "eac3", "dts", "truehd", ...PCM],
      codec: "aac",
      offered: ["aac", "mp3", "ac3", "opus", "vorbis", "flac"],
    },
    texts: "subrip",
    subtitles: ["subrip", "ass", "hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"],
    allSounds: true,
  },
  webm: {
    muxer: ["-f", "webm"],
    film: { copied: ["vp8", "vp9", "av1"], codec: "vp9", offered: ["vp9", "av1"] },
    sound: { copied: ["opus", "vorbis"], codec: "opus", offered: ["opus", "vorbis"] },
    texts: "webvtt",
  },
  avi: {
    muxer: ["-f", "avi"],
    film: { copied: ["mpeg4", "mjpeg", "msmpeg4v3", "msmpeg4v2"], codec: "mpeg4", isSteady: true },
    sound: { copied: ["mp3", "ac3", "pcm_s16le"], codec: "mp3" },
  },
  flv: {
    muxer: ["-f", "flv"],
    film: { copied: ["h264", "flv1", "vp6f"], codec: "h264" },
    sound: { copied: ["aac"], codec: "aac" },
  },
  wmv: asf,
  asf,
  mpg: programStream("mp2"),
  vob: programStream("ac3"),
  ts: transportStream([]),
  m2ts: transportStream(["-mpegts_m2ts_mode", "1"]),
  "3gp": phone("3gp"),
  "3g2": phone("3g2"),
  ogv: {
    muxer: ["-f", "ogg"],
    film: { copied: ["theora"], codec: "theora", isSteady: true },
    sound: { copied: ["vorbis", "opus", "flac"], codec: "vorbis" },
  },
};
