import { attributeOf, type HtmlElement, type HtmlNode, isElement, isText, textBelow } from "../html/tree.ts";

/** Characters after which a chapter without headings is split: e-readers lay out an entire file at once. */
const CHAPTER_CHARACTERS = 200_000;

/**
 * Splits a document into chapters: at the sections that our own book readers create, otherwise before headings of the
 * first and second level.
 *
 * @returns the nodes of each chapter; at least one
 */
export const chaptersOf = (body: HtmlElement): HtmlNode[][] => {
  const parts: HtmlNode[][] = [[]];
  let characters = 0;
  for (const node of contentOf(body)) {
    const last = parts.at(-1) ?? [];
    const begins = isElement(node) && (isChapter(node) || beginsWithHeading(node)) && !last.every(isHeading);
    if (begins || characters > CHAPTER_CHARACTERS) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(node);
    characters += isElement(node) ? textBelow(node).length : 0;
  }
  const filled = parts.filter((nodes) => nodes.some((node) => !isBlank(node)));
  return filled.length === 0 ? [[]] : filled;
};

/** @returns the content of the body, or of the only element in it */
const contentOf = (body: HtmlElement): readonly HtmlNode[] => {
  let content: readonly HtmlNode[] = body.childNodes;
  for (;;) {
    const [only, ...others] = content.filter((node) => !isBlank(node));
    if (
      only === undefined ||
      others.length > 0 ||
      !isElement(only) ||
      !/^(?:div|main|article|section)$/.test(only.tagName)
    ) {
      return content;
    }
    content = only.childNodes;
  }
};

const isBlank = (node: HtmlNode): boolean => isText(node) && node.value.trim() === "";

const isChapter = (element: HtmlElement): boolean =>
  element.tagName === "section" && /^(?:chapter|cover)$/.test(attributeOf(element, "class") ?? "");

/** A heading starts a chapter even as the first element of a section. */
const beginsWithHeading = (element: HtmlElement): boolean => {
  let first: HtmlNode | undefined = element;
  while (first !== undefined && isElement(first)) {
    if (/^h[12]$/.test(first.tagName)) {
      return true;
    }
    first = /^(?:section|article|div|header|hgroup)$/.test(first.tagName)
      ? first.childNodes.find((node) => !isBlank(node))
      : undefined;
  }
  return false;
};

/** A heading directly below another one stays with it: a part and its first chapter. */
const isHeading = (node: HtmlNode): boolean =>
  isBlank(node) || (isElement(node) && /^(?:h[1-6]|hgroup|a)$/.test(node.tagName));
