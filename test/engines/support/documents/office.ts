import { DOCUMENT_HEBREW, DOCUMENT_TITLE } from "../document.ts";

/** The texts of each slide in the slide samples. */
export const SLIDE_TEXTS: readonly (readonly string[])[] = [
  [DOCUMENT_TITLE, "Überfahrt, café, naïve – 12 €"],
  ["Ropes", "Sails", "李 中国"],
  ["Łukasz", DOCUMENT_HEBREW],
];

/** The table in the samples of old spreadsheets, which support Latin-1 only. */
export const OLD_ROWS: readonly (readonly (string | number)[])[] = [
  ["Name", "Country", "Crew"],
  ["Ana", "Perú", 12],
  ["Zoë", "Österreich", 7.5],
  ["007", "France", -3],
];

/** The text in the XPS sample: the letters of the sample fonts. */
export const XPS_TEXT = "AVAVA";

/** The text in the drawing samples. */
export const DRAWING_TEXT = "Four quarters";
