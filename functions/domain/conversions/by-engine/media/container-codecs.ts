import type { FormatId } from "../../../formats/formats.ts";
import type { AudioCodecName, VideoCodecName } from "./codecs.ts";

/** The codecs that ffmpeg writes to a format. */
export interface ContainerCodecs {
  /** @default no video */
  readonly video?: Codecs<VideoCodecName>;
  readonly audio: Codecs<AudioCodecName>;
}

interface Codecs<Name> {
  /** Used if no codec is requested and the source's is not copied. */
  readonly codec: Name;
  /** The choices of `video_codec` or `audio_codec`. @default only that codec */
  readonly offered?: readonly Name[];
}

const audio = (codec: AudioCodecName): ContainerCodecs => ({ audio: { codec } });
const both = (video: VideoCodecName, sound: AudioCodecName): ContainerCodecs => ({
  video: { codec: video },
  audio: { codec: sound },
});

const M4A: ContainerCodecs = { audio: { codec: "aac", offered: ["aac", "alac"] } };

/** MP4 is made for H.264, HEVC and AV1. */
const MP4: ContainerCodecs = {
  video: { codec: "h264", offered: ["h264", "hevc", "av1", "vp9"] },
  audio: { codec: "aac", offered: ["aac", "mp3", "ac3", "opus", "flac", "alac"] },
};

export const containerCodecs = {
  mp3: audio("mp3"),
  m4a: M4A,
  m4b: M4A,
  aac: audio("aac"),
  ogg: audio("vorbis"),
  opus: audio("opus"),
  flac: audio("flac"),
  wav: audio("pcm"),
  w64: audio("pcm"),
  aiff: audio("pcm_be"),
  caf: audio("pcm"),
  au: audio("pcm_be"),
  wma: audio("wmav2"),
  ac3: audio("ac3"),
  eac3: audio("eac3"),
  mp2: audio("mp2"),
  wv: audio("wavpack"),
  tta: audio("tta"),
  mka: { audio: { codec: "flac", offered: ["flac", "aac", "mp3", "opus", "vorbis", "ac3"] } },
  mp4: MP4,
  m4v: MP4,
  mov: {
    video: { codec: "h264", offered: ["h264", "hevc", "prores"] },
    audio: { codec: "aac", offered: ["aac", "mp3", "ac3", "alac", "pcm"] },
  },
  mkv: {
    video: { codec: "h264", offered: ["h264", "hevc", "av1", "vp9"] },
    audio: { codec: "aac", offered: ["aac", "mp3", "ac3", "opus", "vorbis", "flac"] },
  },
  webm: {
    video: { codec: "vp9", offered: ["vp9", "av1"] },
    audio: { codec: "opus", offered: ["opus", "vorbis"] },
  },
  avi: both("mpeg4", "mp3"),
  flv: both("h264", "aac"),
  wmv: both("wmv2", "wmav2"),
  asf: both("wmv2", "wmav2"),
  mpg: both("mpeg2", "mp2"),
  vob: both("mpeg2", "ac3"),
  ts: both("h264", "aac"),
  m2ts: both("h264", "aac"),
  "3gp": both("h264", "aac"),
  "3g2": both("h264", "aac"),
  ogv: both("theora", "vorbis"),
} as const satisfies Partial<Record<FormatId, ContainerCodecs>>;

export type ContainerId = keyof typeof containerCodecs;
