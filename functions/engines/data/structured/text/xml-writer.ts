import { isXmlText, xmlAttribute, xmlText } from "../../text/xml.ts";
import type { Target } from "../codec.ts";
import { isBytes, isExact, isList, isMap, type Tree, type TreeMap, textOf } from "../tree.ts";
import { type TextParts, textParts } from "./parts.ts";

/**
 * @returns the tree as an XML document; unless the root is a single element it is called `root`, and list members
 * `item`
 */
export const writeXml = (tree: Tree, target: Target): Uint8Array[] => {
  const writer: Writer = { parts: textParts(), target };
  const [name, content] = rootOf(tree);
  writer.parts.push('<?xml version="1.0" encoding="UTF-8"?>');
  const declared = isMap(content) && content.has("@xmlns:xsi");
  const needed = !declared && hasNull(content);
  const root = needed
    ? new Map([["@xmlns:xsi", XSI], ...(isMap(content) ? content : new Map([["#text", content]]))])
    : content;
  element(writer, { name, content: root, line: target.indent === 0 ? "" : "\n", prefixes: new Set(["xml"]) });
  writer.parts.push("\n");
  return writer.parts.done();
};

const XSI = "http://www.w3.org/2001/XMLSchema-instance";

const hasNull = (tree: Tree): boolean => {
  if (isMap(tree)) {
    return [...tree.values()].some(hasNull);
  }
  return isList(tree) ? tree.some(hasNull) : tree === null;
};

interface Writer {
  readonly parts: TextParts;
  readonly target: Target;
}

interface Placed {
  readonly name: string;
  readonly content: Tree;
  /** What precedes the tag: a line end and indentation, or nothing. */
  readonly line: string;
  /** Namespace prefixes declared here. */
  readonly prefixes: ReadonlySet<string>;
}

const rootOf = (tree: Tree): readonly [string, Tree] => {
  const [first, ...more] = isMap(tree) ? [...tree] : [];
  const single = first !== undefined && more.length === 0 && !isList(first[1]) && !/^[@#]/.test(first[0]);
  return single ? first : ["root", isList(tree) ? new Map([["item", tree]]) : tree];
};

const element = (writer: Writer, { name: key, content, line, prefixes }: Placed): void => {
  const { parts, target } = writer;
  const map = isMap(content) ? content : new Map<string, Tree>([["#text", content]]);
  const own = [...map.keys()].flatMap((name) => /^@xmlns:(.+)$/.exec(name)?.[1] ?? []);
  const known = own.length === 0 ? prefixes : new Set([...prefixes, ...own]);
  const name = nameOf(writer, key, known);
  const text = map.get("#text");
  parts.push(line, "<", name, attributes(writer, map, known), text === null ? ' xsi:nil="true"' : "");
  const elements = [...map].filter(([member, value]) => member !== "#text" && !isAttribute(member, value));
  if (elements.length === 0 && (text === undefined || text === null || text === "")) {
    parts.push("/>");
    return;
  }
  parts.push(">", text === undefined || text === null ? "" : xmlText(contentOf(writer, text)));
  // Indentation of elements would become part of the text.
  const inner = line === "" || (text !== undefined && text !== null) ? "" : line + " ".repeat(target.indent);
  children(writer, elements, { inner, prefixes: known });
  parts.push(elements.length > 0 && inner !== "" ? line : "", "</", name, ">");
};

const children = (
  writer: Writer,
  elements: readonly (readonly [string, Tree])[],
  { inner, prefixes }: { readonly inner: string; readonly prefixes: ReadonlySet<string> },
): void => {
  for (const [name, value] of elements) {
    const members = isList(value) ? value : [value];
    writer.target.notes.add("empty_lists_dropped", members.length === 0 ? 1 : 0);
    for (const member of members) {
      const content = isList(member) ? new Map([["item", member]]) : member;
      element(writer, { name, content, line: inner, prefixes });
    }
  }
};

const isAttribute = (name: string, value: Tree): boolean =>
  name.startsWith("@") && !isList(value) && !isMap(value) && value !== null;

const attributes = (writer: Writer, map: TreeMap, prefixes: ReadonlySet<string>): string =>
  [...map]
    .filter(([name, value]) => isAttribute(name, value))
    .map(([name, value]) => ` ${nameOf(writer, name.slice(1), prefixes)}="${xmlAttribute(contentOf(writer, value))}"`)
    .join("");

const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.\u00b7-]*$/u;

/** @returns a valid XML name, with a prefix only if it is declared */
const nameOf = ({ target }: Writer, name: string, prefixes: ReadonlySet<string>): string => {
  const [prefix = "", local] = name.split(/:(.*)/s);
  const declared = local !== undefined && (prefixes.has(prefix) || prefix === "xmlns") && NAME.test(local);
  if (NAME.test(name) || (declared && NAME.test(prefix))) {
    return name;
  }
  target.notes.add("names_changed");
  const allowed = name.replace(/[^\p{L}\p{N}\p{M}_.\u00b7-]/gu, "_");
  return NAME.test(allowed) ? allowed : `_${allowed}`;
};

const contentOf = ({ target }: Writer, value: Tree): string => {
  const text = isMap(value) || isList(value) ? "" : textOf(value);
  if (!isXmlText(text)) {
    target.notes.add("characters_replaced");
  }
  if (isBytes(value) || (isExact(value) && value.kind !== "decimal")) {
    target.notes.add("types_as_text");
  }
  return text;
};
