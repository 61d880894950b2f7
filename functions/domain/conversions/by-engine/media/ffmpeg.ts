import type { ConversionRow } from "../../conversion.ts";
import { ffmpegAudioConversions } from "./ffmpeg-audio.ts";
import { ffmpegVideoConversions } from "./ffmpeg-video.ts";

/** Audio and video conversions of ffmpeg. */
export const ffmpegConversions: readonly ConversionRow[] = [...ffmpegAudioConversions, ...ffmpegVideoConversions];
