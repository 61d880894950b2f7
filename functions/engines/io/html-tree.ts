import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as names, parse } from "parse5";
import { HTML_NODES_MAX, HTML_PARSED_DEPTH_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";

/** A parsed HTML document, and what the engines ask of it. */

export type HtmlDocument = DefaultTreeAdapterTypes.Document;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;
export type HtmlText = DefaultTreeAdapterTypes.TextNode;

/**
 * Parses HTML, however broken, as a browser does whose scripts are off. XHTML is read as HTML too: its elements that
 * close themselves are written out first, because HTML does not know such a thing (`<title/>` would swallow the rest).
 *
 * @throws JobError `unsupported_feature` when elements lie deeper than {@link HTML_PARSED_DEPTH_MAX} or there are more
 * nodes than {@link HTML_NODES_MAX}: the parser looks through all that are open at every tag
 */
export const parseHtml = (html: string): HtmlDocument =>
  parse(isXhtml(html) ? asHtml(html) : html, { scriptingEnabled: false, treeAdapter: limitedAdapter() });

const limitedAdapter = (): typeof defaultTreeAdapter => {
  let depth = 0;
  let nodes = 0;
  const count = (): void => {
    nodes += 1;
    if (nodes > HTML_NODES_MAX) {
      throw new JobError("unsupported_feature", `The HTML has over ${HTML_NODES_MAX} nodes.`);
    }
  };
  return {
    ...defaultTreeAdapter,
    createElement: (...given) => {
      count();
      return defaultTreeAdapter.createElement(...given);
    },
    insertText: (parent, text) => {
      // The parser brings words one by one; what follows a text becomes part of it.
      if (parent.childNodes.at(-1)?.nodeName !== "#text") {
        count();
      }
      defaultTreeAdapter.insertText(parent, text);
    },
    onItemPush: () => {
      depth += 1;
      if (depth > HTML_PARSED_DEPTH_MAX) {
        throw new JobError("unsupported_feature", `The HTML is nested deeper than ${HTML_PARSED_DEPTH_MAX} elements.`);
      }
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
};

const XHTML_CHARACTERS = 2_000;

const isXhtml = (html: string): boolean => {
  const head = html.slice(0, XHTML_CHARACTERS);
  return /^\s*<\?xml/.test(head) || /<html\b[^>]{0,500}\bxmlns\s*=/i.test(head);
};

/** No quoted value of XML holds a `<`, so a tag that is not closed costs no more than the way to the next one. */
const SELF_CLOSED = /<([a-z][\w:.-]{0,60}(?![\w:.-]))((?:"[^"<]*"|'[^'<]*'|[^"'<>])*?)\/>/gi;

const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g;

const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

const asHtml = (xhtml: string): string =>
  (xhtml.includes("]]>") ? xhtml.replace(CDATA, (_, text: string) => escapeText(text)) : xhtml)
    .replace(/^\s*<\?xml[^>]{0,500}\?>/, "")
    .replace(SELF_CLOSED, (tag, name: string, attributes: string) =>
      VOID.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
    );

/** @returns the text as it may stand in HTML and XML, in an attribute too */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @returns the text without what XML has no place for: control characters, halves of characters (XML 1.0, 2.2) */
export const withoutControls = (text: string): string => text.toWellFormed().replace(NOT_XML, "");

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is there to find them
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const isElement = (node: HtmlNode | HtmlParent): node is HtmlElement => "tagName" in node;

export const isText = (node: HtmlNode | HtmlParent): node is HtmlText => node.nodeName === "#text";

/** @returns whether it is an element of HTML, and not of a drawing or a formula */
export const isHtml = ({ namespaceURI }: HtmlElement): boolean => namespaceURI === names.NS.HTML;

/** @returns the value of an attribute; undefined where there is none */
export const attributeOf = ({ attrs }: HtmlElement, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value;

/** @returns a new element of HTML that has no parent yet */
export const newElement = (tagName: string, attributes: Readonly<Record<string, string>> = {}): HtmlElement =>
  defaultTreeAdapter.createElement(
    tagName,
    names.NS.HTML,
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
  );

export const appendChild = (parent: HtmlParent, child: HtmlNode): void => defaultTreeAdapter.appendChild(parent, child);

/** Puts text at the end of an element, into the text that stands there already. */
export const appendText = (parent: HtmlParent, text: string): void => defaultTreeAdapter.insertText(parent, text);

/** All nodes below one in the order of the document, without recursion. The children are read when their parent is done. */
export function* nodesBelow(parent: HtmlParent): Generator<HtmlNode> {
  const stack: HtmlNode[] = parent.childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if ("childNodes" in node) {
      // Not by spreading: a hundred thousand arguments are too many for a call.
      for (const child of node.childNodes.toReversed()) {
        stack.push(child);
      }
    }
  }
}

/** @returns the elements of these names below a node, in the order of the document */
export const elementsBelow = (parent: HtmlParent, ...tagNames: readonly string[]): HtmlElement[] =>
  [...nodesBelow(parent)].filter(isElement).filter(({ tagName }) => tagNames.includes(tagName));

/** @returns all text below a node, as it stands there */
export const textBelow = (parent: HtmlParent): string =>
  [...nodesBelow(parent)]
    .filter(isText)
    .map(({ value }) => value)
    .join("");
