/** The document in every text and book sample in `test/fixtures`. */

export const DOCUMENT_TITLE = "Harbour report";

/** Its table; the first row is the header. */
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

/** All of its text in order. `Jib` is nested in `Sails`. */
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

/** Markup languages whose samples hold the complete structure, without the picture, which they cannot embed. */
export const MARKUP_SOURCES = [
  "rst",
  "tex",
  "org",
  "mediawiki",
  "dokuwiki",
  "textile",
  "asciidoc",
  "ipynb",
  "jats",
  "docbook",
];

/** Formats whose samples hold only its words: an outline has no paragraphs, and a manual page has a separate title. */
export const OUTLINE_SOURCES = ["opml", "man"];

/** Office samples with the complete document. */
export const OFFICE_SOURCES = ["odt", "fodt", "doc", "rtf"];

/** Samples with its words, some of them bold. */
export const OFFICE_WORDS = ["docx", ...OFFICE_SOURCES];

/** @returns the words in the sample of the format: old formats do not support all scripts */
export const wordsIn = (format: string): readonly string[] => {
  if (format === "sxw") {
    return DOCUMENT_WORDS;
  }
  if (format === "wpd" || format === "pages") {
    const absent = format === "wpd" ? /\p{Script=Han}|\p{Script=Hebrew}/u : /\p{Script=Hebrew}/u;
    return DOCUMENT_WORDS.filter((word) => !absent.test(word));
  }
  return OFFICE_WORDS.includes(format) ? DOCUMENT_WORDS : [];
};
