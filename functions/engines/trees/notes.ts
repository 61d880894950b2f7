import type { Warning } from "../../domain/jobs.ts";

/** What a conversion of a tree could not bring over, counted. */
export interface Notes {
  add(code: NoteCode, count?: number): void;
  warnings(): Warning[];
}

/** The sentence of each warning; `#` stands for how often it happened. */
const SENTENCES = {
  characters_replaced: "Texts with characters that the target cannot have got others in their place (#).",
  comments_dropped: "Comments were left out (#).",
  documents_as_list: "The file holds several documents (#); they became a list.",
  duplicate_keys: "Keys that stand twice in one object (#): the last value was taken.",
  empty_lists_dropped: "Empty lists were left out, for which the target has no sign (#).",
  keys_as_text: "Keys that are no text were written as text (#).",
  mixed_content_flattened: "Text that stands between elements was gathered in one place (#).",
  names_changed: "Names that are not allowed in the target were changed (#).",
  nulls_dropped: "Empty values (null) were left out, for which the target has no sign (#).",
  numbers_rounded: "Numbers with more digits than the target can hold were rounded (#).",
  order_changed: "Elements of one name stood apart, with others between them (#); they were gathered in one list.",
  root_wrapped: "The target needs an object at the top: the value was put into one (#).",
  structure_flattened: "Lists and objects were written as keys with dots (#).",
  tags_dropped: "Types of their own (tags) were left out, the values stay (#).",
  times_rounded: "Times with more digits than can be held here were rounded (#).",
  types_as_text:
    "Values whose type the target does not have, as dates, bytes or huge numbers, were written as text (#).",
} as const;

export type NoteCode = keyof typeof SENTENCES;

export const newNotes = (): Notes => {
  const counts = new Map<NoteCode, number>();
  return {
    add: (code, count = 1) => {
      if (count === 0) {
        return;
      }
      counts.set(code, (counts.get(code) ?? 0) + count);
    },
    warnings: () => [...counts].map(([code, count]) => ({ code, detail: SENTENCES[code].replace("#", String(count)) })),
  };
};
