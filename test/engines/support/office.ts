import { DOCUMENT_HEBREW, DOCUMENT_TITLE } from "./document.ts";

/** What the samples of slides say: a list of texts for each. */
export const SLIDE_TEXTS: readonly (readonly string[])[] = [
  [DOCUMENT_TITLE, "Überfahrt, café, naïve – 12 €"],
  ["Ropes", "Sails", "李 中国"],
  ["Łukasz", DOCUMENT_HEBREW],
];

/** What the drawing on the samples of drawings says. */
export const DRAWING_TEXT = "Four quarters";
