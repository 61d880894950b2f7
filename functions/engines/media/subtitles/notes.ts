import { type Notes as NotesBy, newNotes as notesBy } from "../../core/notes.ts";

/** Message of each warning; `#` is replaced by the count. */
const SENTENCES = {
  comments_dropped: "Comments were lost (#).",
  drawings_dropped: "Drawings were lost (#).",
  ends_assumed: "Cues without an end time (#) last until the next one, at most 10 seconds.",
  frame_rate_assumed: "The file does not declare its frame rate; 23.976 frames per second were assumed.",
  lines_skipped: "Lines that are not subtitles were skipped (#).",
  positions_dropped: "Exact positions were lost (#); only the screen area was kept.",
  speakers_dropped: "Speaker names were lost (#).",
  styles_dropped: "Styles other than bold, italic, underline and color were lost (#).",
  title_dropped: "The title was lost.",
  word_times_dropped: "Word times were lost (#); cue times were kept.",
} as const;

/** Counts what a subtitle conversion could not keep. */
export type Notes = NotesBy<keyof typeof SENTENCES>;

export const newNotes = (): Notes => notesBy(SENTENCES);
