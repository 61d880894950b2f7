import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html as names, parse } from "parse5";
import { HTML_NODES_MAX, HTML_PARSED_DEPTH_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";

/** A parsed HTML document, and the queries that the engines use. */

export type HtmlDocument = DefaultTreeAdapterTypes.Document;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;
export type HtmlText = DefaultTreeAdapterTypes.TextNode;

/**
 * Parses HTML, however malformed, like a browser with scripts disabled. XHTML is parsed as HTML too: self-closing
 * elements are expanded first because HTML does not support them (`<title/>` would swallow the rest).
 *
 * @throws JobError `unsupported_feature` when elements are nested deeper than {@link HTML_PARSED_DEPTH_MAX} or there
 * are more than {@link HTML_NODES_MAX} nodes: the parser scans all open elements at every tag
 */
export const parseHtml = (html: string): HtmlDocument =>
  parse(isXhtml(html) ? asHtml(html) : html, { scriptingEnabled: false, treeAdapter: limitedAdapter() });

const limitedAdapter = (): typeof defaultTreeAdapter => {
  let depth = 0;
  let nodes = 0;
  const count = (): void => {
    nodes += 1;
    if (nodes > HTML_NODES_MAX) {
      throw new JobError("unsupported_feature", `The HTML has more than ${HTML_NODES_MAX} nodes, which is the limit.`);
    }
  };
  return {
    ...defaultTreeAdapter,
    createElement: (...given) => {
      count();
      return defaultTreeAdapter.createElement(...given);
    },
    insertText: (parent, text) => {
      // The parser delivers text word by word; text that follows text is appended to it.
      if (parent.childNodes.at(-1)?.nodeName !== "#text") {
        count();
      }
      defaultTreeAdapter.insertText(parent, text);
    },
    onItemPush: () => {
      depth += 1;
      if (depth > HTML_PARSED_DEPTH_MAX) {
        throw new JobError(
          "unsupported_feature",
          `The HTML is nested more than ${HTML_PARSED_DEPTH_MAX} elements deep, which is the limit.`,
        );
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

/** Quoted XML values never contain `<`, so an unclosed tag costs only the distance to the next one. */
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

/** @returns the text escaped for HTML and XML, including attributes */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * @returns the text without characters that XML does not allow: control characters and lone surrogates (XML 1.0, 2.2)
 */
export const withoutControls = (text: string): string => text.toWellFormed().replace(NOT_XML, "");

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const isElement = (node: HtmlNode | HtmlParent): node is HtmlElement => "tagName" in node;

export const isText = (node: HtmlNode | HtmlParent): node is HtmlText => node.nodeName === "#text";

/** @returns whether it is an HTML element, as opposed to a drawing or formula element */
export const isHtml = ({ namespaceURI }: HtmlElement): boolean => namespaceURI === names.NS.HTML;

/** @returns the value of an attribute; undefined if it is not set */
export const attributeOf = ({ attrs }: HtmlElement, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value;

/** @returns a new HTML element without a parent */
export const newElement = (tagName: string, attributes: Readonly<Record<string, string>> = {}): HtmlElement =>
  defaultTreeAdapter.createElement(
    tagName,
    names.NS.HTML,
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
  );

export const appendChild = (parent: HtmlParent, child: HtmlNode): void => defaultTreeAdapter.appendChild(parent, child);

/** Appends text to an element, extending the last text node if there is one. */
export const appendText = (parent: HtmlParent, text: string): void => defaultTreeAdapter.insertText(parent, text);

/** All descendants of a node in document order, without recursion. The children are read when their parent is done. */
export function* nodesBelow(parent: HtmlParent): Generator<HtmlNode> {
  const stack: HtmlNode[] = parent.childNodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if ("childNodes" in node) {
      // No spread: a hundred thousand arguments exceed the limit of a call.
      for (const child of node.childNodes.toReversed()) {
        stack.push(child);
      }
    }
  }
}

/** @returns the descendant elements with these names, in document order */
export const elementsBelow = (parent: HtmlParent, ...tagNames: readonly string[]): HtmlElement[] =>
  [...nodesBelow(parent)].filter(isElement).filter(({ tagName }) => tagNames.includes(tagName));

/** @returns all text below a node, unchanged */
export const textBelow = (parent: HtmlParent): string =>
  [...nodesBelow(parent)]
    .filter(isText)
    .map(({ value }) => value)
    .join("");
