/** The properties of a document that can be set: the option, and its key in the information dictionary. */
export const INFORMATION = [
  { option: "title", key: "Title" },
  { option: "author", key: "Author" },
  { option: "subject", key: "Subject" },
  { option: "keywords", key: "Keywords" },
] as const;

export type InformationOption = (typeof INFORMATION)[number]["option"];
