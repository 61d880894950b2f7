/** The document that every sample of a text or a book in `test/fixtures` holds. */

export const DOCUMENT_TITLE = "Harbour report";

/** Its table, the first row of which is the headings. */
export const DOCUMENT_ROWS = [
  ["Name", "Country", "Crew"],
  ["Ana", "Perú", "12"],
  ["Łukasz", "Polska", "7"],
  ["李", "中国", "30"],
] as const;

export const DOCUMENT_BULLETS = ["Ropes", "Sails", "Jib", "Lanterns"] as const;
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

/** Languages of markup whose samples hold it: with all of its order, and without its picture, for which they have no place. */
export const MARKUP_SOURCES = ["rst", "tex", "org", "mediawiki", "dokuwiki", "textile", "ipynb", "jats", "docbook"];

/** Those whose samples hold its words alone: an outline has no paragraphs, and a page of the manual a title of its own. */
export const OUTLINE_SOURCES = ["opml", "man"];

/** Samples of office programs that hold it whole. */
export const OFFICE_SOURCES = ["odt", "fodt", "doc", "rtf"];

/** Those that hold its words, and bold ones among them. */
export const OFFICE_WORDS = ["docx", ...OFFICE_SOURCES];

/** @returns the words that the sample of the format holds: old formats have no place for all scripts */
export const wordsIn = (format: string): readonly string[] => {
  if (format === "wpd" || format === "pages") {
    const absent = format === "wpd" ? /\p{Script=Han}|\p{Script=Hebrew}/u : /\p{Script=Hebrew}/u;
    return DOCUMENT_WORDS.filter((word) => !absent.test(word));
  }
  return OFFICE_WORDS.includes(format) ? DOCUMENT_WORDS : [];
};
