import type { ConversionRow } from "../../conversion.ts";
import { ffmpegAudioConversions } from "./ffmpeg-audio.ts";
import { ffmpegVideoConversions } from "./ffmpeg-video.ts";

/** What ffmpeg does: sound and films. */
export const ffmpegConversions: readonly ConversionRow[] = [...ffmpegAudioConversions, ...ffmpegVideoConversions];
