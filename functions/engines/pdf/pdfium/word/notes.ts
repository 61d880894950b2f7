import type { Note } from "../layout/model.ts";
import { escapeXml } from "../write/xml.ts";
import { w } from "./elements.ts";

/** The footnotes of a document. */
export interface Notes {
  /** The notes so far; the separators of Word are not among them. */
  readonly used: ReadonlyMap<Note, { readonly id: number; readonly automatic: boolean }>;
  /** @returns a run that refers to the note; Word counts as long as the marks are 1, 2, 3 … */
  refer(note: Note, properties: string): string;
}

/** Ids 0 and 1 are the separators. */
const FIRST_ID = 2;

export const notes = (): Notes => {
  const used = new Map<Note, { readonly id: number; readonly automatic: boolean }>();
  let count = 0;
  const refer: Notes["refer"] = (note, properties) => {
    const mark = note.mark.replace(/[^\p{L}\p{N}*†‡§¶#]/gu, "");
    if (used.has(note)) {
      return w("r", {}, properties, `<w:t>${escapeXml(mark)}</w:t>`);
    }
    const automatic = mark === String(count + 1);
    count += automatic ? 1 : 0;
    const id = FIRST_ID + used.size;
    used.set(note, { id, automatic });
    return automatic
      ? w("r", {}, properties, w("footnoteReference", { id }))
      : w("r", {}, properties, w("footnoteReference", { customMarkFollows: 1, id }), `<w:t>${escapeXml(mark)}</w:t>`);
  };
  return { used, refer };
};
