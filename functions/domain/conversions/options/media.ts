import * as z from "zod/mini";
import { described, uploadOption, withDefault } from "./described.ts";

/**
 * Seconds, or a time: `90`, `12.5`, `1:30`, `0:01:30.5`. The longest recording is four hours. Each option needs a
 * separate schema object, because descriptions are registered by object.
 */
const time = () =>
  z.union([
    z.number().check(z.minimum(0), z.maximum(86_400)),
    z.string().check(z.regex(/^(?:\d{1,2}:)?\d{1,3}:[0-5]?\d(?:\.\d{1,3})?$/, "a time such as `1:02:03.5`")),
  ]);

/** The most frames and columns of a contact sheet. */
const SHEET_FRAMES_MAX = 100;
const SHEET_COLUMNS_MAX = 20;

export const mediaOptions = {
  trim_start: described(time(), "Start time in the source: seconds, or `1:02:03.5`. Default: the beginning."),
  trim_end: described(time(), "End time in the source: seconds, or `1:02:03.5`. Default: the end."),
  at: described(time(), "Time of the extracted frame: seconds, or `1:02:03.5`. Default: 10% of the duration."),
  crf: described(
    z.int().check(z.minimum(0), z.maximum(63)),
    "Constant rate factor: lower values are better and larger. H.264 and HEVC: 0 to 51, default 23 and 26; VP9 and " +
      "AV1: 0 to 63, default 32 and 35.",
  ),
  video_bitrate: described(
    z.int().check(z.minimum(50), z.maximum(100_000)),
    "Video bitrate in kbit/s, instead of a constant rate factor.",
  ),
  audio_bitrate: described(
    z.int().check(z.minimum(8), z.maximum(1_000)),
    "Audio bitrate in kbit/s. Default: by codec and channels, 192 for stereo MP3.",
  ),
  video_codec: described(
    z.enum(["h264", "hevc", "vp9", "av1", "prores", "copy"]),
    "Video codec; `copy` keeps the source's. Default: the source's codec if common players of the target support it, " +
      "otherwise the target's default.",
  ),
  audio_codec: described(
    z.enum(["aac", "mp3", "ac3", "opus", "vorbis", "flac", "alac", "pcm", "copy"]),
    "Audio codec; `copy` keeps the source's. Default: the source's codec if common players of the target support it, " +
      "otherwise the target's default.",
  ),
  sample_rate: described(
    z.int().check(z.minimum(8_000), z.maximum(192_000)),
    "Sample rate in Hz. Default: the source's, or the nearest that the codec supports.",
  ),
  channels: described(
    z.int().check(z.minimum(1), z.maximum(8)),
    "Audio channels: 1 is mono, 2 is stereo. Default: as in the source, if the codec supports it.",
  ),
  volume: withDefault(z.number().check(z.minimum(0), z.maximum(10)), 1, "Volume factor: 0.5 is half, 2 is twice."),
  loudness: described(
    z.number().check(z.minimum(-70), z.maximum(-5)),
    "Normalize the loudness to this value in LUFS (EBU R128, in two passes): -23 is the level of broadcasts, -14 of streaming " +
      "services. Peaks are limited to -1 dB.",
  ),
  frames: described(
    z.int().check(z.minimum(2), z.maximum(SHEET_FRAMES_MAX)),
    "Number of frames of the video, evenly spaced in time, on a contact sheet; `width` is that of each frame, 320 by default. " +
      "Default: one frame.",
  ),
  columns: described(
    z.int().check(z.minimum(1), z.maximum(SHEET_COLUMNS_MAX)),
    "Columns of a contact sheet of several images or frames. Default: as many as rows.",
  ),
  rotate: described(
    z.literal([90, 180, 270]),
    "Clockwise rotation of the image, of the video, or of the pages of a PDF, in degrees.",
  ),
  subtitles_upload_id: uploadOption(
    ["srt", "vtt", "ass", "ssa", "sbv", "ttml"],
    "ID of an upload with subtitles to burn into the frames. A form can contain the file itself in a field with this name.",
    ["writing"],
  ),
  subtitles: withDefault(
    z.enum(["keep", "burn", "drop"]),
    "keep",
    "Subtitles of the video: `keep` as a track if the target supports it, `burn` the first track into the " +
      "frames, or `drop`.",
  ),
} as const;
