import type { Warning } from "../../domain/jobs.ts";

/** What a conversion of subtitles could not bring over, counted. */
export interface Notes {
  add(code: NoteCode, count?: number): void;
  warnings(): Warning[];
}

/** The sentence of each warning; `#` stands for how often it happened. */
const SENTENCES = {
  comments_dropped: "Comments were left out (#).",
  drawings_dropped: "Shapes that are drawn, and are no text, were left out (#).",
  ends_assumed: "Cues without an end (#) last until the next one, and at most 10 seconds.",
  frame_rate_assumed: "The file counts frames and does not say how fast they are; 23.976 a second were assumed.",
  lines_skipped: "Lines that are no subtitles were left out (#).",
  positions_dropped: "Exact positions were left out (#); only the side of the picture stays.",
  speakers_dropped: "Names of who speaks were left out (#).",
  styles_dropped: "Looks other than bold, italic, underlined and colours were left out (#).",
  title_dropped: "The title was left out.",
  word_times_dropped: "Times of single words were left out (#); those of the cues stay.",
} as const;

export type NoteCode = keyof typeof SENTENCES;

export const newNotes = (): Notes => {
  const counts = new Map<NoteCode, number>();
  return {
    add: (code, count = 1) => {
      if (count > 0) {
        counts.set(code, (counts.get(code) ?? 0) + count);
      }
    },
    warnings: () => [...counts].map(([code, count]) => ({ code, detail: SENTENCES[code].replace("#", String(count)) })),
  };
};
