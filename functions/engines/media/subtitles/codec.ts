import type { Subtitles } from "./cue.ts";
import type { Notes } from "./notes.ts";

/** Reads one subtitle format. */
export type Reader = (text: string, context: ReaderContext) => Subtitles;

/** Writes one subtitle format. */
export type Writer = (subtitles: Subtitles) => string;

export interface ReaderContext {
  readonly notes: Notes;
}
