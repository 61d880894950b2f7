import { DETECTION_CHARACTERS } from "../../limits.ts";

/**
 * @returns the start of the text, or undefined if the bytes are not text: UTF-8, UTF-16, or an older encoding with one
 * or two bytes per character, which is read as Latin-1 because ASCII characters are the same
 */
export const textOf = (head: Uint8Array): string | undefined => {
  // A character has at most four bytes.
  const bytes = head.subarray(0, 4 * DETECTION_CHARACTERS);
  const text = decoded(bytes, unicodeOf(bytes)) ?? (hasAscii(bytes) ? decoded(bytes, "latin1") : undefined);
  return text === "" ? undefined : text?.slice(0, DETECTION_CHARACTERS);
};

/** Minimum percentage of ASCII in text of an older encoding: spaces, line breaks, digits, punctuation. */
const ASCII_PERCENT = 2;

const hasAscii = (bytes: Uint8Array): boolean =>
  100 * bytes.filter((byte) => byte < 0x80).length > ASCII_PERCENT * bytes.length;

/** Characters that text never contains; tabs, line breaks, form feeds and the escape of ISO-2022 can occur. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish bytes from text
const NO_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

const decoded = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    // Decoded as a stream, so that a character that is cut at the end of the head is not an error.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    // Some programs end text with a Ctrl-Z or a zero byte.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
    const body = text.replace(/[\u0000\u001a]$/, "");
    return NO_TEXT.test(body) ? undefined : text;
  } catch {
    return undefined;
  }
};

/** Minimum percentage of Latin characters in UTF-16 text, which has markup, digits or spaces. */
const LATIN_PERCENT = 20;

/** @returns the Unicode encoding, detected from a byte order mark or zeros in every second byte; otherwise UTF-8 */
const unicodeOf = (bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || zerosAt(bytes, 1)) {
    return "utf-16le";
  }
  return (bytes[0] === 0xfe && bytes[1] === 0xff) || zerosAt(bytes, 0) ? "utf-16be" : "utf-8";
};

const zerosAt = (bytes: Uint8Array, parity: 0 | 1): boolean => {
  const counts = [0, 0];
  for (const [index, byte] of bytes.entries()) {
    if (byte === 0) {
      counts[index % 2] = (counts[index % 2] ?? 0) + 1;
    }
  }
  return counts[1 - parity] === 0 && 200 * (counts[parity] ?? 0) > LATIN_PERCENT * bytes.length;
};

/** @returns the local name of the root element, after the declaration, comments, instructions and the document type */
export const xmlRoot = (text: string): string | undefined =>
  /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(afterProlog(text) ?? "")?.[1];

/** @returns the text from its root element on, or undefined when the prolog does not end */
const afterProlog = (text: string): string | undefined => {
  let rest = text.trimStart();
  while (/^<[?!]/.test(rest)) {
    const [open, close] = rest.startsWith("<!--")
      ? ["<!--", "-->"]
      : rest.startsWith("<?")
        ? ["<?", "?>"]
        : ["<!", ">"];
    const end = endOf(rest, open, close);
    if (end === undefined) {
      return undefined;
    }
    rest = rest.slice(end).trimStart();
  }
  return rest;
};

const XHTML = "http://www.w3.org/1999/xhtml";

/** @returns whether an XML declaration, or the namespace of the root element, rules out HTML */
export const isDeclaredXml = (text: string): boolean => {
  const [tag = ""] = /^<[^<>]*/.exec(afterProlog(text) ?? "") ?? [];
  const namespace = /\sxmlns\s*=\s*["']([^"']*)/.exec(tag)?.[1];
  return namespace === undefined ? /^<\?xml\s/.test(text.trimStart()) : namespace !== XHTML;
};

/**
 * Elements that an HTML fragment starts with. The others, such as `a`, `data` and `object`, are as common in XML: the
 * filename or the media type decides.
 */
const HTML_ELEMENTS: ReadonlySet<string> = new Set([
  ...["html", "head", "body", "base", "link", "meta", "noscript", "script", "style", "title"],
  ...["article", "aside", "footer", "header", "hgroup", "main", "nav", "section"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "br", "center", "dialog", "div", "hr", "p", "pre"],
  ...["dd", "details", "dl", "dt", "figcaption", "figure", "img", "li", "ol", "picture", "ul"],
  ...["caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"],
  ...["em", "font", "small", "span", "strong", "sub", "sup"],
  ...["button", "canvas", "fieldset", "form", "iframe", "input", "select", "textarea"],
]);

/** @returns whether the text starts like an HTML fragment: with an HTML element, in any case */
export const isHtmlFragment = (text: string): boolean =>
  HTML_ELEMENTS.has(xmlRoot(text)?.toLowerCase() ?? "") && !isDeclaredXml(text);

/** @returns the end of a construct at the start of the text. A document type can contain declarations in brackets. */
const endOf = (text: string, open: string, close: string): number | undefined => {
  const subset = open === "<!" ? /^<![^>[]*\[/.exec(text) : null;
  const bracket = subset === null ? 0 : text.indexOf("]", subset[0].length);
  const end = bracket === -1 ? -1 : text.indexOf(close, Math.max(bracket, open.length));
  return end === -1 ? undefined : end + close.length;
};
