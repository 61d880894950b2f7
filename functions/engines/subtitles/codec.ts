import type { Subtitles } from "./cue.ts";
import type { Notes } from "./notes.ts";

/** One format of subtitles: how it is read. */
export type Reader = (text: string, context: ReaderContext) => Subtitles;

/** How it is written. */
export type Writer = (subtitles: Subtitles) => string;

export interface ReaderContext {
  readonly notes: Notes;
  /** Frames a second, where the client has named them. */
  readonly fps?: number | undefined;
}
