import { isNode, type Json, nodeOf, type PandocDocument } from "./tree.ts";
import { listOf, wordsOf } from "./walk.ts";

/** The descriptive metadata fields. All others may be instructions to a writer: files, programs, styles. */
const FIELDS = ["title", "subtitle", "author", "date", "description", "keywords", "abstract", "lang"] as const;

export type Metadata = Readonly<Partial<Record<(typeof FIELDS)[number], Json>>>;

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/;

/** @returns the fields that are kept; the text in them still needs rewriting */
export const metadataOf = ({ meta }: PandocDocument): Metadata =>
  Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = Object.hasOwn(meta, field) ? meta[field] : undefined;
      const kept = value === undefined ? undefined : (kinds[field]?.(value) ?? value);
      return kept === undefined || wordsOf(kept) === "" ? [] : [[field, kept]];
    }),
  );

const textOf = (value: Json): Json => nodeOf("MetaInlines", inlinesOf(wordsOf(value)));

const inlinesOf = (words: string): Json[] =>
  words.split(" ").flatMap((word, index) => [...(index === 0 ? [] : [nodeOf("Space")]), nodeOf("Str", word)]);

/** There may be several authors; of a structured author, the name is kept. */
const authorsOf = (value: Json): Json => {
  const list = isNode(value) && value.t === "MetaList" ? listOf(value.c) : [value];
  return nodeOf(
    "MetaList",
    list.map(nameOf).filter((each) => wordsOf(each) !== ""),
  );
};

const nameOf = (value: Json): Json => {
  const fields = isNode(value) && value.t === "MetaMap" ? value.c : undefined;
  const name = typeof fields === "object" && fields !== null && !Array.isArray(fields) ? fields.name : undefined;
  return fields === undefined ? textOf(value) : textOf(name ?? null);
};

const languageOf = (value: Json): Json => {
  const language = wordsOf(value);
  return nodeOf("MetaString", LANGUAGE.test(language) ? language : "");
};

const kinds: Readonly<Partial<Record<(typeof FIELDS)[number], (value: Json) => Json>>> = {
  author: authorsOf,
  date: textOf,
  description: textOf,
  keywords: textOf,
  lang: languageOf,
};

/** @returns the metadata of a page */
export const pageOf = (meta: Metadata) => {
  const lang = wordsOf(meta.lang);
  const authors = isNode(meta.author) ? listOf(meta.author.c).map(wordsOf).join(", ") : "";
  const fields = { author: authors, description: wordsOf(meta.description), keywords: wordsOf(meta.keywords) };
  return {
    title: wordsOf(meta.title),
    ...(lang !== "" && { lang }),
    metadata: Object.fromEntries(Object.entries(fields).filter(([, words]) => words !== "")),
  };
};
