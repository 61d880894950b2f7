import type { FormatId } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { Options } from "../../domain/options.ts";
import type { Source } from "./source.ts";

/** What a plan is made for. */
export interface Wanted {
  readonly source: Source;
  readonly from: FormatId;
  readonly to: FormatId;
  readonly options: Options;
  /** Whether streams that fit stay as they are. When that fails, all are encoded. */
  readonly copies: boolean;
}

/** What ffmpeg is to do. Nothing in it comes from a client but numbers and words of our own. */
export interface Plan {
  /** Before the input: which part of it. */
  readonly reading: readonly string[];
  /** Runs before the last one, each with the name of the file that it leaves in the step's folder. */
  readonly before?: readonly Pass[];
  /** More inputs of the last run, from the step's folder. */
  readonly further?: readonly string[];
  /** From the streams that are taken to the muxer. */
  readonly writing: readonly string[];
  /** Kinds of streams that the result has at least; empty: it is a picture or a text. */
  readonly holds: readonly ("video" | "audio")[];
  /** Seconds that the result should have; undefined where the source does not say. */
  readonly seconds: number | undefined;
  /** Seconds of the result at which it is ended. @default the limit of what it is */
  readonly secondsMax?: number;
  readonly warnings: readonly Warning[];
}

interface Pass {
  readonly writing: readonly string[];
  readonly file: string;
}
