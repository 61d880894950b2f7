import { SaxesParser } from "saxes";
import { JobError } from "../../../domain/errors.ts";

/** An element of an XML document. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Texts and elements in document order; two texts are never adjacent. */
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlDocument {
  readonly root: XmlElement;
  /** Comments and processing instructions that were skipped. */
  readonly comments: number;
}

export interface XmlLimits {
  readonly depthMax: number;
  /** Called for each element and text with the values and characters that it adds; may throw. */
  readonly spend?: (nodes: number, characters: number) => void;
}

/**
 * Reads a document by XML 1.0 and rejects what is not well-formed. The document type is skipped: nothing that it names
 * is opened, and no entity that it declares is expanded.
 *
 * @throws JobError `source_corrupt`, or `unsupported_feature` for declared entities and for depth
 */
export const readXml = (source: string, limits: XmlLimits): XmlDocument => {
  const reading = newReading(source, limits);
  const { parser } = reading;
  parser.on("attribute", ({ name, value }) => addAttribute(reading, name, value));
  parser.on("opentag", ({ name }) => openElement(reading, name));
  parser.on("closetag", () => reading.open.pop());
  parser.on("text", (text) => addText(reading, text));
  parser.on("cdata", (text) => addText(reading, text));
  parser.on("comment", () => {
    reading.comments += 1;
  });
  parser.on("processinginstruction", () => {
    reading.comments += reading.root === undefined ? 0 : 1;
  });
  parser.on("doctype", (text) => {
    reading.declaresEntities = /<!ENTITY|SYSTEM|PUBLIC/.test(text);
  });
  parser.on("error", (error) => reject(reading, error));
  parser.write(reading.body).close();
  if (reading.root === undefined) {
    throw new JobError("source_corrupt", "Malformed XML: no element.");
  }
  return { root: reading.root, comments: reading.comments };
};

/** @returns the encoding that the XML declaration names, for bytes without a byte order mark */
export const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString("latin1");
  const name = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]?.toLowerCase();
  // A file whose declaration can be read like this does not use two bytes per character, even if it declares so.
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

/** Without position tracking, parsing takes a tenth less time. The line of an error is counted when needed. */
const OPTIONS = { xmlns: false, position: false, defaultXMLVersion: "1.0", forceXMLVersion: true } as const;

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

interface Reading {
  readonly parser: SaxesParser<typeof OPTIONS>;
  /** The source after its XML declaration, which is not needed and often slightly malformed. */
  readonly body: string;
  /** The number of the first line of the body. */
  readonly firstLine: number;
  readonly limits: XmlLimits;
  readonly open: OpenElement[];
  /** Of the tag that is being read. */
  attributes: Map<string, string> | undefined;
  root: XmlElement | undefined;
  comments: number;
  declaresEntities: boolean;
}

const newReading = (source: string, limits: XmlLimits): Reading => {
  const declaration = /^\s*<\?xml\s[^>]*\?>/.exec(source)?.[0] ?? "";
  return {
    parser: new SaxesParser(OPTIONS),
    body: source.slice(declaration.length),
    firstLine: declaration.split("\n").length,
    limits,
    open: [],
    attributes: undefined,
    root: undefined,
    comments: 0,
    declaresEntities: false,
  };
};

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const addAttribute = (reading: Reading, name: string, value: string): void => {
  reading.limits.spend?.(1, value.length);
  reading.attributes ??= new Map();
  reading.attributes.set(name, value);
};

const openElement = (reading: Reading, name: string): void => {
  const { open, limits, attributes = NO_ATTRIBUTES } = reading;
  limits.spend?.(1, 0);
  const element: OpenElement = { name, attributes, children: [] };
  open.at(-1)?.children.push(element);
  reading.attributes = undefined;
  reading.root ??= element;
  open.push(element);
  // The parser itself has no limit.
  if (open.length > limits.depthMax) {
    throw new JobError("unsupported_feature", `The elements are nested more than ${limits.depthMax} levels deep.`);
  }
};

const addText = ({ open, limits }: Reading, text: string): void => {
  const children = open.at(-1)?.children;
  if (children === undefined || text === "") {
    return;
  }
  limits.spend?.(0, text.length);
  const last = children.at(-1);
  if (typeof last === "string") {
    children[children.length - 1] = last + text;
    return;
  }
  children.push(text);
};

/** Harmless errors that programs make: `--` in a comment, `]]>` in a text (XML 1.0, 2.5 and 2.4). */
const TOLERATED = /malformed comment|disallowed in char data/;

/** The parser has one message for entities that nobody declares and those that the document type may declare. */
const reject = (reading: Reading, { message }: Error): void => {
  const { parser, body, firstLine, declaresEntities } = reading;
  if (TOLERATED.test(message)) {
    return;
  }
  const before = body.slice(0, parser.position);
  const [, entity] = /&([^&;]{1,100});$/.exec(before.slice(-102)) ?? [];
  if (message === "undefined entity." && declaresEntities) {
    throw new JobError(
      "unsupported_feature",
      `The XML uses the declared entity &${entity};. Entities are not expanded.`,
    );
  }
  const what = message.replace(/^undefined entity/, `undefined entity &${entity};`).replace(/\.$/, "");
  const line = firstLine + before.split("\n").length - 1;
  throw new JobError("source_corrupt", `Malformed XML: ${what} (line ${line}).`);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them (XML 1.0, 2.2)
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};
const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = { ...ESCAPES, "\n": "&#10;", "\t": "&#9;" };

/** @returns the text escaped for content; characters that XML cannot have become U+FFFD */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>\r]/g, (sign) => ESCAPES[sign] ?? sign);

/** @returns the text escaped for an attribute in double quotes */
export const xmlAttribute = (text: string): string =>
  allowed(text).replace(/[&<>"\r\n\t]/g, (sign) => ATTRIBUTE_ESCAPES[sign] ?? sign);

/** @returns whether XML can have all characters of the text */
export const isXmlText = (text: string): boolean => !FORBIDDEN.test(text) && text.isWellFormed();

const ALL_FORBIDDEN = new RegExp(FORBIDDEN, "g");

const allowed = (text: string): string =>
  (FORBIDDEN.test(text) ? text.replace(ALL_FORBIDDEN, "\ufffd") : text).toWellFormed();
