import * as z from "zod/mini";
import { described } from "./described.ts";

/**
 * Seconds, or a clock: `90`, `12.5`, `1:30`, `0:01:30.5`. The longest recording has four hours. A schema of its own for each
 * option: what describes one is kept by the schema's object.
 */
const time = () =>
  z.union([
    z.number().check(z.minimum(0), z.maximum(86_400)),
    z.string().check(z.regex(/^(?:\d{1,2}:)?\d{1,3}:[0-5]?\d(?:\.\d{1,3})?$/)),
  ]);

export const mediaOptions = {
  trim_start: described(time(), "Where the result begins: seconds, or `1:02:03.5`. Default: at the beginning."),
  trim_end: described(time(), "Where the result ends: seconds of the source, or `1:02:03.5`. Default: at the end."),
  at: described(
    time(),
    "Moment of the film that the picture shows: seconds, or `1:02:03.5`. Default: after a tenth of it.",
  ),
  crf: described(
    z.int().check(z.minimum(0), z.maximum(63)),
    "Constant quality of the film: lower is better and larger. H.264: 0 to 51, default 23; HEVC: default 26; " +
      "VP9 and AV1: 0 to 63, default 32 and 35.",
  ),
  video_bitrate: described(
    z.int().check(z.minimum(50), z.maximum(100_000)),
    "Thousands of bits a second for the film, in place of a constant quality.",
  ),
  audio_bitrate: described(
    z.int().check(z.minimum(8), z.maximum(1_000)),
    "Thousands of bits a second for the sound. Default: by codec and channels, 192 for MP3 in stereo.",
  ),
  video_codec: described(
    z.enum(["h264", "hevc", "vp9", "av1", "prores"]),
    "Codec of the film. Default: the source's where the target's players expect it, else the target's usual one.",
  ),
  audio_codec: described(
    z.enum(["aac", "mp3", "ac3", "opus", "vorbis", "flac", "alac", "pcm"]),
    "Codec of the sound. Default: the source's where the target's players expect it, else the target's usual one.",
  ),
  sample_rate: described(
    z.int().check(z.minimum(8_000), z.maximum(192_000)),
    "Samples of the sound a second. Default: as in the source, or the next that the codec has.",
  ),
  channels: described(
    z.int().check(z.minimum(1), z.maximum(8)),
    "Channels of the sound: 1 is mono, 2 is stereo. Default: as in the source, as far as the codec goes.",
  ),
  volume: described(
    z.number().check(z.minimum(0), z.maximum(10)),
    "How loud the sound becomes: 0.5 is half, 2 is twice. Default 1.",
  ),
  rotate: described(z.literal([90, 180, 270]), "Degrees clockwise by which the film is turned."),
  subtitles: described(
    z.enum(["keep", "burn", "drop"]),
    "Subtitles of the film: `keep` them as a track where the target has one (the default), `burn` the first into the " +
      "picture, or `drop` them.",
  ),
} as const;
