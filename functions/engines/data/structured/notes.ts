import type { Warning } from "../../../domain/warning.ts";

/** What a conversion could not preserve, counted. */
export interface Notes {
  add(code: NoteCode, count?: number): void;
  warnings(): Warning[];
}

/** The message of each warning; `#` becomes the count. */
const SENTENCES = {
  characters_replaced: "Characters that the target cannot hold were replaced (# texts).",
  comments_dropped: "Comments were left out (#).",
  documents_as_list: "The file holds several documents (#); they became a list.",
  duplicate_keys: "Duplicate keys in an object (#): the last value was kept.",
  empty_lists_dropped: "Empty lists, which the target cannot hold, were left out (#).",
  keys_as_text: "Keys of other types were written as text (#).",
  mixed_content_flattened: "Text between elements was joined in one place (#).",
  names_changed: "Names that are not allowed in the target were changed (#).",
  nulls_dropped: "Null values, which the target cannot hold, were left out (#).",
  numbers_rounded: "Numbers with more digits than the target can hold were rounded (#).",
  order_changed: "Elements of one name with others between them were joined in one list (#).",
  root_wrapped: "The target needs an object at the top level: the value was wrapped in one (#).",
  structure_flattened: "Lists and objects were written as keys with dots (#).",
  tags_dropped: "Custom types (tags) were left out; the values were kept (#).",
  times_rounded: "Times with more digits than the target can hold were rounded (#).",
  types_as_text:
    "Values of types that the target does not have, such as dates, bytes or huge numbers, were written as text (#).",
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
