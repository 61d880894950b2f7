import { attributeOf, elementsBelow, type HtmlDocument, type HtmlElement, isHtml, textBelow } from "./tree.ts";

/** The document's metadata. */

/** @returns the title; empty if there is none */
export const titleOf = (document: HtmlDocument): string => {
  const title = elementsBelow(document, "title").find(isHtml);
  return title === undefined ? "" : textBelow(title).replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS_MAX);
};

const TITLE_CHARACTERS_MAX = 500;

const METADATA = ["author", "description", "keywords", "date"];

/**
 * @returns author, description and other metadata, by the names of the HTML `meta` elements; the first of each name
 * wins
 */
export const metadataOf = (document: HtmlDocument): Record<string, string> => {
  const entries = elementsBelow(document, "meta").flatMap((meta) => {
    const name = attributeOf(meta, "name")?.toLowerCase() ?? "";
    const content = shortAttribute(meta, "content");
    return METADATA.includes(name) && content ? [[name, content] as const] : [];
  });
  return Object.fromEntries(entries.toReversed());
};

/** @returns the value of an attribute, cut to the maximum length of metadata */
export const shortAttribute = (node: HtmlElement, name: string): string | undefined =>
  attributeOf(node, name)?.trim().slice(0, TITLE_CHARACTERS_MAX);
