/** The document that every sample of a text or a book in `test/fixtures` holds. */

export const DOCUMENT_TITLE = "Harbour report";

/** Its table, the first row of which is the headings. */
export const DOCUMENT_ROWS = [
  ["Name", "Country", "Crew"],
  ["Ana", "Perú", "12"],
  ["Łukasz", "Polska", "7"],
  ["李", "中国", "30"],
] as const;

const DOCUMENT_BULLETS = ["Ropes", "Sails", "Jib", "Lanterns"] as const;
export const DOCUMENT_STEPS = ["Cast off", "Steer north"] as const;
export const DOCUMENT_HEBREW = "שלום עולם";
export const DOCUMENT_CODE = "if (a < b) { sail(); }";
export const DOCUMENT_LINK = "https://example.org/harbour";

/** All that can be read in it, in its order. `Jib` stands within `Sails`. */
export const DOCUMENT_WORDS: readonly string[] = [
  DOCUMENT_TITLE,
  "Überfahrt, café, naïve – 12 €",
  "bold",
  "italic",
  "link",
  ...DOCUMENT_BULLETS,
  ...DOCUMENT_STEPS,
  ...DOCUMENT_ROWS.flat(),
  DOCUMENT_HEBREW,
  DOCUMENT_CODE,
];
