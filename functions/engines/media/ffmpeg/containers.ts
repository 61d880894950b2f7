import type { ContainerId } from "../../../domain/conversions/by-engine/media/container-codecs.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";

/** A container for video or audio: which codecs are copied unchanged. `containerCodecs` has those of all others. */
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
  /** The tags that it stores, by ffmpeg name. @default any */
  readonly tags?: readonly string[];
  /** Whether the muxer loses chapters, although the format has them. */
  readonly losesChapters?: boolean;
}

interface FilmPart {
  /** Codecs that its players expect, by ffmpeg name. */
  readonly copied: readonly string[];
  /** Codecs that it can contain, but that not all of its players decode: copied on request, or if encoding is too long. */
  readonly contained?: readonly string[];
  /** Whether it stores the rotation of a video. */
  readonly turns?: boolean;
  /** Whether it requires a constant frame rate. */
  readonly isSteady?: boolean;
  /** Whether its players require 4:2:0 color, in 8 bits (or 10 bits for newer codecs). */
  readonly plain?: boolean;
  /** Whether not all of its players show HDR. */
  readonly isSdr?: boolean;
}

interface SoundPart {
  readonly copied: readonly string[];
  /** Codecs that it can contain, but that not all of its players decode: copied on request. */
  readonly contained?: readonly string[];
}

const PCM = ["pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_u8"];
const PCM_BE = ["pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_f32be", "pcm_s8"];

/** Audio-only output: the muxer, and which codecs are copied. */
const sound = (muxer: readonly string[], copied: readonly string[]): Container => ({ muxer, sound: { copied } });

/** iTunes metadata items that ffmpeg writes to MPEG-4 (movenc.c). */
const MPEG_4_TAGS = [
  ...["title", "artist", "album_artist", "composer", "album", "date", "comment", "genre", "copyright", "grouping"],
  ...["lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords", "track", "disc", "tmpo"],
  ...["compilation", "season_number", "episode_sort", "media_type", "hd_video", "gapless_playback"],
];
/** Tags that have an INFO chunk in WAV (riff.c). */
const WAV_TAGS = ["title", "artist", "album", "track", "date", "genre", "comment", "copyright", "language", "isrc"];

/** Writes the index at the start of the file, so that playback can start while it downloads. */
const FAST_START = ["-movflags", "+faststart"];

/**
 * MP4 is made for H.264, HEVC and AV1; players expect VP9 only in WebM, and older codecs nowhere. Firefox and many
 * Windows computers do not decode HEVC, and common browsers do not decode AC-3. Apple's players, for which M4V is, do.
 */
const mp4 = (muxer: readonly string[], isApple: boolean): Container => ({
  muxer: [...muxer, ...FAST_START],
  film: {
    copied: ["h264", "av1", ...(isApple ? ["hevc"] : [])],
    contained: ["hevc", "vp9", "mpeg4", "mpeg2video"],
    turns: true,
    plain: true,
    isSdr: !isApple,
  },
  sound: {
    copied: ["aac", "mp3", "alac", ...(isApple ? ["ac3", "eac3"] : [])],
    contained: ["ac3", "eac3", "opus", "flac", "dts"],
  },
  texts: "mov_text",
  allSounds: true,
  tags: MPEG_4_TAGS,
});

/** Phones of that time decode only basic H.264; the audio is AAC or AMR. */
const phone = (muxer: string): Container => ({
  muxer: ["-f", muxer, ...FAST_START],
  film: { copied: ["h264", "h263", "mpeg4"], turns: true, plain: true },
  sound: { copied: ["aac", "amr_nb", "amr_wb"] },
});

const programStream: Container = {
  muxer: ["-f", "vob"],
  film: { copied: ["mpeg1video", "mpeg2video"], isSteady: true },
  sound: { copied: ["mp2", "ac3"] },
};

const transportStream = (options: readonly string[]): Container => ({
  muxer: ["-f", "mpegts", ...options],
  film: { copied: ["h264", "hevc", "mpeg2video", "mpeg1video"] },
  sound: { copied: ["aac", "mp2", "mp3", "ac3", "eac3", "dts"] },
  allSounds: true,
});

const asf: Container = {
  muxer: ["-f", "asf"],
  film: { copied: ["wmv1", "wmv2", "wmv3", "vc1"] },
  sound: { copied: ["wmav1", "wmav2", "wmapro", "wmalossless"] },
};

const m4a = (muxer: readonly string[]): Container => ({
  muxer: [...muxer, ...FAST_START],
  sound: { copied: ["aac", "alac", "ac3", "eac3"] },
  cover: true,
  tags: MPEG_4_TAGS,
});

const byFormat: Record<ContainerId, Container> = {
  mp3: { ...sound(["-f", "mp3", "-id3v2_version", "3"], ["mp3"]), cover: true },
  m4a: m4a(["-f", "ipod"]),
  m4b: m4a(["-f", "ipod", "-brand", "M4B "]),
  aac: sound(["-f", "adts"], ["aac"]),
  ogg: { ...sound(["-f", "ogg"], ["vorbis"]), losesChapters: true },
  opus: sound(["-f", "opus"], ["opus"]),
  flac: { ...sound(["-f", "flac"], ["flac"]), cover: true, losesChapters: true },
  wav: { ...sound(["-f", "wav", "-rf64", "auto"], PCM), tags: WAV_TAGS },
  w64: sound(["-f", "w64"], PCM),
  aiff: { ...sound(["-f", "aiff", "-write_id3v2", "1"], PCM_BE), cover: true },
  caf: sound(["-f", "caf"], [...PCM, ...PCM_BE, "alac"]),
  au: sound(["-f", "au"], PCM_BE),
  wma: sound(["-f", "asf"], ["wmav1", "wmav2", "wmapro", "wmalossless"]),
  ac3: sound(["-f", "ac3"], ["ac3"]),
  eac3: sound(["-f", "eac3"], ["eac3"]),
  mp2: sound(["-f", "mp2"], ["mp2"]),
  wv: sound(["-f", "wv"], ["wavpack"]),
  tta: sound(["-f", "tta"], ["tta"]),
  mka: {
    muxer: ["-f", "matroska"],
    sound: {
      copied: ["aac", "mp3", "mp2", "vorbis", "opus", "flac", "alac", "ac3", "eac3", "dts", "wavpack", "tta", ...PCM],
    },
    allSounds: true,
  },
  mp4: mp4(["-f", "mp4"], false),
  m4v: mp4(["-f", "mp4", "-brand", "M4V "], true),
  mov: {
    muxer: ["-f", "mov", ...FAST_START],
    film: {
      copied: ["h264", "hevc", "prores", "mpeg4", "mjpeg", "dnxhd"],
      turns: true,
    },
    sound: {
      copied: ["aac", "mp3", "ac3", "eac3", "alac", ...PCM, ...PCM_BE],
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
    },
    sound: {
      copied: ["aac", "mp3", "mp2", "vorbis", "opus", "flac", "ac3", "eac3", "dts", "truehd", ...PCM],
    },
    texts: "subrip",
    subtitles: ["subrip", "ass", "hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"],
    allSounds: true,
  },
  webm: {
    muxer: ["-f", "webm"],
    film: { copied: ["vp8", "vp9", "av1"] },
    sound: { copied: ["opus", "vorbis"] },
    texts: "webvtt",
  },
  avi: {
    muxer: ["-f", "avi"],
    film: { copied: ["mpeg4", "mjpeg", "msmpeg4v3", "msmpeg4v2"], isSteady: true },
    sound: { copied: ["mp3", "ac3", "pcm_s16le"] },
  },
  flv: {
    muxer: ["-f", "flv"],
    film: { copied: ["h264", "flv1", "vp6f"] },
    sound: { copied: ["aac"] },
  },
  wmv: asf,
  asf,
  mpg: programStream,
  vob: programStream,
  ts: transportStream([]),
  m2ts: transportStream(["-mpegts_m2ts_mode", "1"]),
  "3gp": phone("3gp"),
  "3g2": phone("3g2"),
  ogv: {
    muxer: ["-f", "ogg"],
    film: { copied: ["theora"], isSteady: true },
    sound: { copied: ["vorbis", "opus", "flac"] },
  },
};

export const containers: Partial<Record<FormatId, Container>> = byFormat;
