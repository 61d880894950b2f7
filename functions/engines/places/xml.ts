import { XMLParser } from "fast-xml-parser";
import { JobError } from "../../domain/errors.ts";
import { decodeText } from "../io/text.ts";

/** An element of XML: its local name, its attributes, the elements and the text in it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

const ATTRIBUTES = ":@";
const TEXT = "#text";

/** What the parser gives in order: nodes with one key beside the attributes, which is the name. */
type Node = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * Parses XML. Entities that a document declares are limited by the parser, external ones are never read.
 *
 * @returns the root element
 * @throws JobError `source_corrupt`
 */
export const parseXml = (bytes: Buffer, wanted: string): Element => {
  const nodes = parsed(textOf(bytes));
  const root = nodes.map(elementOf).find((element) => element?.name === wanted);
  if (root === undefined) {
    throw new JobError("source_corrupt", `The file has no element <${wanted}>.`);
  }
  return root;
};

const parsed = (text: string): Node[] => {
  try {
    const nodes: unknown = parser.parse(text, true);
    return Array.isArray(nodes) ? nodes : [];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0]?.slice(0, 200) : "";
    throw new JobError("source_corrupt", `The XML is not well-formed: ${reason}`, { cause });
  }
};

/** The encoding that the declaration names counts only where the bytes are no UTF-8. */
const textOf = (bytes: Buffer): string => {
  const guess = decodeText(bytes);
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(bytes.toString("latin1", 0, 200))?.[1];
  if (declared === undefined || guess.encoding.startsWith("utf-")) {
    return guess.text;
  }
  return decodeText(bytes, declared).text;
};

const elementOf = (node: Node): Element | undefined => {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES);
  const content = name === undefined ? undefined : node[name];
  if (name === undefined || name === TEXT || !Array.isArray(content)) {
    return undefined;
  }
  const nodes: readonly Node[] = content;
  return {
    name,
    attributes: (node[ATTRIBUTES] ?? {}) as Record<string, string>,
    children: nodes.flatMap((child) => elementOf(child) ?? []),
    text: nodes.map((child) => (typeof child[TEXT] === "string" ? child[TEXT] : "")).join(""),
  };
};

/** @returns the children with the name */
export const childrenOf = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name);

/** @returns the text of the first child with the name, without the white space around it; undefined when it is empty */
export const textIn = ({ children }: Element, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text.trim() || undefined;

/** @returns the text as it stands in XML, without the characters that XML 1.0 has no way to write (section 2.2) */
export const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
