import { JobError } from "../../domain/errors.ts";

/** An element of an XML document. */
export interface XmlElement {
  /** As it stands there, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Texts and elements in their order; two texts never stand side by side. */
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlDocument {
  readonly root: XmlElement;
  /** Comments and processing instructions that were gone over. */
  readonly comments: number;
}

export interface XmlLimits {
  readonly depthMax: number;
  /** Called for each element with how much text and how many values come with it; may throw. */
  readonly spend?: (nodes: number, characters: number) => void;
}

/**
 * Reads a whole document by XML 1.0, and refuses what is not well-formed. The document type is gone over: nothing that
 * it names is opened, and no entity that it declares is expanded.
 *
 * @throws JobError `source_corrupt`, or `unsupported_feature` for entities of its own and for depth
 */
export const readXml = (source: string, limits: XmlLimits): XmlDocument => {
  const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  if (FORBIDDEN.test(text)) {
    throw new JobError("source_corrupt", "The file is no XML: it has control characters.");
  }
  const scan: Scan = { text, at: 0, limits, stack: [], root: undefined, comments: 0, doctype: "" };
  while (scan.at < text.length) {
    step(scan);
  }
  const open = scan.stack.at(-1);
  if (scan.root === undefined || open !== undefined) {
    throw failure(scan, open === undefined ? "There is no element" : `The element ${open.name} does not end`);
  }
  return { root: scan.root, comments: scan.comments };
};

/** @returns the encoding that the XML declaration names, for bytes without a byte order mark */
export const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString("latin1");
  const name = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]?.toLowerCase();
  // A file that this can be read from is not of two bytes a character, whatever it says.
  return name === undefined || /^(?:utf-?(?:8|16)|us-ascii|ucs-2)/.test(name) || !isKnown(name) ? undefined : name;
};

const isKnown = (name: string): boolean => {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
};

interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (XmlElement | string)[];
}

interface Scan {
  readonly text: string;
  readonly limits: XmlLimits;
  readonly stack: Open[];
  at: number;
  root: Open | undefined;
  comments: number;
  doctype: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them (XML 1.0, 2.2)
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const START = /<([\p{L}_:][\p{L}\p{N}\p{M}_:.\u00b7-]*)/uy;
const ATTRIBUTE = /\s+([\p{L}_:][\p{L}\p{N}\p{M}_:.\u00b7-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/uy;
const START_END = /\s*(\/?)>/y;
const END = /<\/([^\s>]+)\s*>/y;

const failure = ({ text, at }: Scan, what: string): JobError => {
  const line = text.slice(0, at).split("\n").length;
  return new JobError("source_corrupt", `The file is no XML. ${what}: line ${line}.`);
};

/** Goes over one piece: a text, a tag, a comment and the like. */
const step = (scan: Scan): void => {
  const { text, at } = scan;
  if (text[at] !== "<") {
    const end = text.indexOf("<", at);
    scan.at = end === -1 ? text.length : end;
    addText(scan, resolved(scan, text.slice(at, scan.at)));
  } else if (text.startsWith("</", at)) {
    endTag(scan);
  } else if (text.startsWith("<!--", at)) {
    scan.comments += 1;
    upTo(scan, "-->");
  } else if (text.startsWith("<![CDATA[", at)) {
    upTo(scan, "]]>");
    addText(scan, text.slice(at + 9, scan.at - 3), true);
  } else if (text.startsWith("<?", at)) {
    scan.comments += at > 0 && scan.root !== undefined ? 1 : 0;
    upTo(scan, "?>");
  } else if (text.startsWith("<!DOCTYPE", at) && scan.root === undefined) {
    doctype(scan);
  } else {
    startTag(scan);
  }
};

const upTo = (scan: Scan, end: string): void => {
  const found = scan.text.indexOf(end, scan.at + 2);
  if (found === -1) {
    throw failure(scan, `A ${end} is missing`);
  }
  scan.at = found + end.length;
};

/** The declarations may hold `>` in quotes and in comments. */
const DOCTYPE_PIECE = /"[^"]*"|'[^']*'|[[\]<>]|[^"'<>[\]]+/y;

const doctype = (scan: Scan): void => {
  const start = scan.at;
  let depth = 0;
  do {
    const comment = scan.text.startsWith("<!--", scan.at);
    if (comment || scan.text.startsWith("<?", scan.at)) {
      upTo(scan, comment ? "-->" : "?>");
    } else {
      const piece = matched(scan, DOCTYPE_PIECE)?.[0];
      if (piece === undefined) {
        throw failure(scan, "The document type does not end");
      }
      depth += piece === "<" || piece === "[" ? 1 : piece === ">" || piece === "]" ? -1 : 0;
    }
  } while (depth > 0);
  scan.doctype = scan.text.slice(start, scan.at);
};

const startTag = (scan: Scan): void => {
  const name = matched(scan, START)?.[1];
  if (name === undefined || (scan.stack.length === 0 && scan.root !== undefined)) {
    throw failure(scan, name === undefined ? "A < stands where no tag begins" : "There is a second root element");
  }
  const attributes = attributesOf(scan);
  const end = matched(scan, START_END);
  if (end === undefined) {
    throw failure(scan, `The tag of ${name} is not well formed`);
  }
  const element: Open = { name, attributes, children: [] };
  scan.limits.spend?.(1 + attributes.size, 0);
  scan.stack.at(-1)?.children.push(element);
  scan.root ??= element;
  if (end[1] === "") {
    scan.stack.push(element);
  }
  if (scan.stack.length > scan.limits.depthMax) {
    throw new JobError("unsupported_feature", `The elements are nested more than ${scan.limits.depthMax} deep.`);
  }
};

const attributesOf = (scan: Scan): Map<string, string> => {
  const attributes = new Map<string, string>();
  for (let found = matched(scan, ATTRIBUTE); found !== undefined; found = matched(scan, ATTRIBUTE)) {
    const [, name = "", double, single = ""] = found;
    if (attributes.has(name)) {
      throw failure(scan, `The attribute ${name} stands twice in a tag`);
    }
    const value = resolved(scan, (double ?? single).replace(/[\t\n]/g, " "));
    scan.limits.spend?.(0, value.length);
    attributes.set(name, value);
  }
  return attributes;
};

const endTag = (scan: Scan): void => {
  const name = matched(scan, END)?.[1];
  const open = scan.stack.pop();
  if (name === undefined || name !== open?.name) {
    throw failure(scan, `</${name ?? ""}> closes ${open === undefined ? "nothing" : open.name}`);
  }
};

const matched = (scan: Scan, expression: RegExp): RegExpExecArray | undefined => {
  expression.lastIndex = scan.at;
  const found = expression.exec(scan.text);
  scan.at += found?.[0].length ?? 0;
  return found ?? undefined;
};

const addText = (scan: Scan, text: string, quoted = false): void => {
  const children = scan.stack.at(-1)?.children;
  if (children === undefined) {
    if (quoted || text.trim() !== "") {
      throw failure(scan, "There is text outside the root element");
    }
    return;
  }
  scan.limits.spend?.(0, text.length);
  const last = children.at(-1);
  if (typeof last === "string") {
    children[children.length - 1] = last + text;
  } else if (text !== "") {
    children.push(text);
  }
};

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** @returns the text with its references to characters and to the five entities that all documents have */
const resolved = (scan: Scan, text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:([^\s;&]*);)?/g, (_, name: string | undefined) => entity(scan, name ?? ""))
    : text;

const entity = (scan: Scan, name: string): string => {
  const [, hexadecimal, decimal] = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
  if (hexadecimal !== undefined || decimal !== undefined) {
    return character(scan, Number.parseInt(hexadecimal ?? decimal ?? "", hexadecimal === undefined ? 10 : 16));
  }
  if (Object.hasOwn(ENTITIES, name)) {
    return ENTITIES[name] ?? "";
  }
  const own = /<!ENTITY|SYSTEM|PUBLIC/.test(scan.doctype);
  throw own
    ? new JobError("unsupported_feature", `The XML uses an entity of its document type (&${name};); none is expanded.`)
    : failure(scan, `There is no entity &${name};`);
};

const character = (scan: Scan, code: number): string => {
  const sign = code > 0x10ffff ? "\0" : String.fromCodePoint(code);
  if (FORBIDDEN.test(sign) || (code >= 0xd800 && code <= 0xdfff)) {
    throw failure(scan, `There is no character &#${code};`);
  }
  return sign;
};

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};
const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = { ...ESCAPES, "\n": "&#10;", "\t": "&#9;" };

/** @returns the text as it stands between tags; characters that XML cannot have become U+FFFD */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>\r]/g, (sign) => ESCAPES[sign] ?? sign);

/** @returns the text as it stands between the double quotes of an attribute */
export const xmlAttribute = (text: string): string =>
  allowed(text).replace(/[&<>"\r\n\t]/g, (sign) => ATTRIBUTE_ESCAPES[sign] ?? sign);

/** @returns whether XML can have all characters of the text */
export const isXmlText = (text: string): boolean => !FORBIDDEN.test(text) && text.isWellFormed();

const ALL_FORBIDDEN = new RegExp(FORBIDDEN, "g");

const allowed = (text: string): string =>
  (FORBIDDEN.test(text) ? text.replace(ALL_FORBIDDEN, "\ufffd") : text).toWellFormed();
