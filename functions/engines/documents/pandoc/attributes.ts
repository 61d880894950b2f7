import type { FormatId } from "../../../domain/formats/formats.ts";
import type { Json } from "./tree.ts";
import { listOf, textAt } from "./walk.ts";

/** The identifier of a node, its classes, and its key-value pairs. */
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

/** Nodes whose class is the language of code; `example` is Org's class for no language. */
const CODE: ReadonlySet<string> = new Set(["Code", "CodeBlock"]);

/** Allowed values by name: sizes, directions, languages. Anything else could be a style, an action or a file. */
const VALUES: Readonly<Record<string, RegExp>> = {
  width: /^\d{1,6}(?:\.\d{1,20})?(?:px|in|cm|mm|pt|em|%)?$/,
  height: /^\d{1,6}(?:\.\d{1,20})?(?:px|in|cm|mm|pt|em|%)?$/,
  dir: /^(?:rtl|ltr)$/,
  lang: /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8}){0,4}$/,
};

/** Text formats cannot express these, or would show HTML. */
const SHOWN: ReadonlySet<FormatId> = new Set(["html", "docx", "odt", "pptx", "rtf"]);

const NAME = /^[\p{L}\p{N}_.:-]{1,200}$/u;

/** The rules for which attributes are kept. */
export interface AttributeRules {
  readonly format: FormatId;
  /** The link targets in the document. */
  readonly targets: ReadonlySet<string>;
}

/**
 * @param owner the kind of the node
 * @returns the attributes that are harmless and have a meaning in other formats
 */
export const cleanAttributes = (value: Json, owner: string, { format, targets }: AttributeRules): Attributes => {
  const name = textAt(value, 0);
  const classes = listOf(listOf(value)[1]).filter((each) => typeof each === "string");
  const pairs = listOf(listOf(value)[2]).map((pair): [string, string] => [textAt(pair, 0), textAt(pair, 1)]);
  return [
    targets.has(name) && NAME.test(name) ? name : "",
    CODE.has(owner) ? classes.filter((each) => /^(?!example$)[\w+#.-]{1,40}$/.test(each)).slice(0, 1) : [],
    pairs.filter(([key, text]) => SHOWN.has(format) && Object.hasOwn(VALUES, key) && VALUES[key]?.test(text)),
  ];
};
