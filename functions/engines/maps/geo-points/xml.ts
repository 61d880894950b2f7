import { JobError } from "../../../domain/errors.ts";
import { decodeText } from "../../data/text/text.ts";
import { declaredEncoding, readXml, type XmlElement } from "../../data/text/xml.ts";

/** An XML element: local name, attributes by local name, child elements and text. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** Nested folders, with the geometry in the innermost one. */
const DEPTH_MAX = 1_000;

/**
 * Parses XML. Entities declared by the document are not expanded; external entities are never read.
 *
 * @returns the root element
 * @throws JobError `source_corrupt`, or `unsupported_feature` for declared entities and excessive depth
 */
export const parseXml = (bytes: Buffer, wanted: string): Element => {
  const root = elementOf(readXml(withEscapedAmpersands(textOf(bytes)), { depthMax: DEPTH_MAX }).root);
  if (root.name !== wanted) {
    throw new JobError("source_corrupt", `The root element of the file is not <${wanted}>.`);
  }
  return root;
};

/** The declared encoding is used only when the bytes are not UTF-8. */
const textOf = (bytes: Buffer): string => {
  const guess = decodeText(bytes);
  const declared = declaredEncoding(bytes);
  return declared === undefined || guess.encoding.startsWith("utf-") ? guess.text : decodeText(bytes, declared).text;
};

/** CDATA sections, and each `&` that does not start a reference defined without a document type. */
const STRAY = /<!\[CDATA\[[\s\S]*?\]\]>|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/g;

/** Place names are often unescaped: `Tom & Jerry`, `&nbsp;`. Such a `&` is kept as text. */
const withEscapedAmpersands = (text: string): string =>
  text.includes("<!DOCTYPE") ? text : text.replace(STRAY, (found) => (found === "&" ? "&amp;" : found));

const localName = (name: string): string => name.replace(/^.*:/, "");

const elementOf = ({ name, attributes, children }: XmlElement): Element => ({
  name: localName(name),
  attributes: Object.fromEntries(
    [...attributes].filter(([key]) => !key.startsWith("xmlns:")).map(([key, value]) => [localName(key), value]),
  ),
  children: children.flatMap((child) => (typeof child === "string" ? [] : elementOf(child))),
  text: children.filter((child) => typeof child === "string").join(""),
});

/** @returns the children with this name */
export const childrenOf = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name);

/** @returns the trimmed text of the first child with this name; undefined when empty */
export const textIn = ({ children }: Element, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text.trim() || undefined;
