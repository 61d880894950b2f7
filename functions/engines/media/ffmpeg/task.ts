import type { Options } from "../../../domain/conversions/options.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { Source } from "./source.ts";

/** Input of a plan. */
export interface Wanted {
  readonly source: Source;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly options: Options;
  /** Whether fitting streams are copied. If that fails, all are encoded. */
  readonly copies: boolean;
  /** Whether the cover is kept. If that fails, because it is damaged, the audio is converted without it. */
  readonly covers: boolean;
  /** The loudness of each audible track, by index, if it is to be normalized. */
  readonly loudness?: ReadonlyMap<number, Loudness>;
  /** Whether the step's folder has subtitles to burn in: the file {@link BURNED}. @default no */
  readonly isBurned?: boolean;
  /** Maximum seconds between key frames, if the video is encoded. @default the codec's */
  readonly keyFrameSeconds?: number;
}

/** A fixed file name in the step's folder, which is ffmpeg's working directory: no path needs escaping in a filter. */
export const BURNED = "burned.ass";

/** Measurements of EBU R128. */
export interface Loudness {
  /** Of the whole track, in LUFS. */
  readonly integrated: number;
  /** The true peak, in dB. */
  readonly peak: number;
}

/** A run of ffmpeg. Nothing in it comes from a client except numbers and validated keywords. */
export interface Plan {
  /** Arguments before the input: which part to read. */
  readonly reading: readonly string[];
  /** Passes before the last one, each with the name of its output file in the step's folder. */
  readonly before?: readonly Pass[];
  /** More inputs of the last pass, from the step's folder. */
  readonly further?: readonly string[];
  /** From the selected streams to the muxer. */
  readonly writing: readonly string[];
  /** Kinds of streams that the result must have; empty for a picture or a text. */
  readonly holds: readonly ("video" | "audio")[];
  /** Expected duration of the result in seconds; undefined if the source does not declare it. */
  readonly seconds: number | undefined;
  /** Seconds of output after which ffmpeg is stopped. @default the limit for its kind */
  readonly secondsMax?: number;
  readonly warnings: readonly Warning[];
  /** The plan if this one decodes nothing. @default the file is damaged */
  readonly ifEmpty?: Plan;
}

interface Pass {
  readonly writing: readonly string[];
  readonly file: string;
}
