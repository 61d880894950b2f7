import type { FormatId } from "../../domain/formats.ts";
import type { Json } from "./tree.ts";
import { listOf, textAt } from "./walk.ts";

/** What a node is called, the classes that it is of, and names with values. */
type Attributes = [string, string[], [string, string][]];

/** @returns whether a value has the shape of attributes, which nothing else in a tree has */
export const isAttributes = (value: Json): boolean =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === "string" &&
  Array.isArray(value[1]) &&
  value[1].every((each) => typeof each === "string") &&
  Array.isArray(value[2]) &&
  value[2].every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((each) => typeof each === "string"));

export const isEmpty = (value: Json | undefined): boolean =>
  textAt(value, 0) === "" &&
  listOf(value)
    .slice(1)
    .every((each) => listOf(each).length === 0);

/** Where a class says the language of code; `example` is Org's word for none. */
const CODE: ReadonlySet<string> = new Set(["Code", "CodeBlock"]);

/** What may stand as a value of a name: sizes, directions, languages. All else could be a style, an action, a file. */
const VALUES: Readonly<Record<string, RegExp>> = {
  width: /^\d{1,6}(?:\.\d{1,20})?(?:px|in|cm|mm|pt|em|%)?$/,
  height: /^\d{1,6}(?:\.\d{1,20})?(?:px|in|cm|mm|pt|em|%)?$/,
  dir: /^(?:rtl|ltr)$/,
  lang: /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/,
};

/** Formats of text have no word for these, or would show HTML. */
const SHOWN: ReadonlySet<FormatId> = new Set(["html", "docx", "odt", "pptx", "rtf"]);

const NAME = /^[\p{L}\p{N}_.:-]{1,200}$/u;

/** What decides which attributes stay. */
export interface AttributeRules {
  readonly format: FormatId;
  /** The names that links of the document lead to. */
  readonly places: ReadonlySet<string>;
}

/**
 * @param owner the kind of the node
 * @returns what is harmless of them, and means something to other formats
 */
export const cleanAttributes = (value: Json, owner: string, { format, places }: AttributeRules): Attributes => {
  const name = textAt(value, 0);
  const classes = listOf(listOf(value)[1]).filter((each) => typeof each === "string");
  const pairs = listOf(listOf(value)[2]).map((pair): [string, string] => [textAt(pair, 0), textAt(pair, 1)]);
  return [
    places.has(name) && NAME.test(name) ? name : "",
    CODE.has(owner) ? classes.filter((each) => /^(?!example$)[\w+#.-]{1,40}$/.test(each)).slice(0, 1) : [],
    pairs.filter(([key, said]) => SHOWN.has(format) && Object.hasOwn(VALUES, key) && VALUES[key]?.test(said)),
  ];
};
