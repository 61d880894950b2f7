import { JobError } from "../../../domain/errors.ts";

/**
 * Content lines of calendars and contacts (RFC 5545, 3.1; RFC 6350, 3.3; vCard 2.1). They are parsed here because
 * libraries do not support vCard 2.1, which phones still write, or leave its text encoded.
 */

/** One property: `TEL;TYPE=home:+49 30 1234`. */
export interface Property {
  /** In upper case, without its group. */
  readonly name: string;
  /** Values by upper-case name. A bare word of vCard 2.1 (`TEL;HOME:`) is a `TYPE`. */
  readonly params: ReadonlyMap<string, readonly string[]>;
  /** With the character set decoded, but escapes kept. */
  readonly value: string;
  /** The complete original line, unfolded. */
  readonly line: string;
}

/** The content between `BEGIN:` and `END:`. */
export interface Component {
  readonly name: string;
  readonly properties: readonly Property[];
  readonly components: readonly Component[];
}

const DEPTH_MAX = 20;

/** @returns the components of the text @throws JobError `source_corrupt` when they are not nested correctly */
export const readComponents = (text: string): readonly Component[] => {
  type Open = { readonly name: string; readonly properties: Property[]; readonly components: Component[] };
  const root: Open = { name: "", properties: [], components: [] };
  const open: Open[] = [root];
  for (const line of unfolded(text)) {
    const property = propertyOf(line);
    const inner = open.at(-1) ?? root;
    if (property?.name === "BEGIN") {
      open.push({ name: property.value.trim().toUpperCase(), properties: [], components: [] });
    } else if (property?.name === "END") {
      close(open, property.value.trim().toUpperCase());
    } else if (property !== undefined) {
      inner.properties.push(property);
    }
    if (open.length > DEPTH_MAX) {
      throw new JobError("source_corrupt", `The components are nested more than ${DEPTH_MAX} levels deep.`);
    }
  }
  if (open.length > 1) {
    throw new JobError("source_corrupt", `The file is truncated: END:${open.at(-1)?.name} is missing.`);
  }
  return root.components;
};

const close = (open: (Component & { readonly components: Component[] })[], name: string): void => {
  const ended = open.length > 1 ? open.pop() : undefined;
  if (ended === undefined || ended.name !== name) {
    throw new JobError("source_corrupt", `The file has an END:${name} without a matching BEGIN.`);
  }
  open.at(-1)?.components.push(ended);
};

/** Folded lines continue in the next one after a space; quoted-printable ones after an equals sign. */
const unfolded = (text: string): string[] => {
  /** The pieces of each line, joined at the end: a photo has a hundred thousand. */
  const lines: string[][] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const last = lines.at(-1);
    const piece = last?.at(-1);
    if (last !== undefined && /^[ \t]/.test(line)) {
      last.push(line.slice(1));
    } else if (last !== undefined && piece?.endsWith("=") && /^[^:]*QUOTED-PRINTABLE[^:]*:/i.test(last[0] ?? "")) {
      last.splice(-1, 1, piece.slice(0, -1), line);
    } else {
      lines.push([line]);
    }
  }
  return lines.map((pieces) => pieces.join(""));
};

const propertyOf = (line: string): Property | undefined => {
  const [, name, rest] = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*:.*)$/s.exec(line) ?? [];
  if (name === undefined || rest === undefined) {
    return undefined;
  }
  const [written = ""] = /^(?:;(?:[^":;]|"[^"]*")*)*/.exec(rest) ?? [];
  const params = paramsOf(written);
  return { name: name.toUpperCase(), params, value: decoded(rest.slice(written.length + 1), params), line };
};

const paramsOf = (written: string): Map<string, string[]> => {
  const params = new Map<string, string[]>();
  for (const [, text = ""] of written.matchAll(/;((?:[^":;]|"[^"]*")*)/g)) {
    const [, name = "TYPE", values = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
    const list = params.get(name.toUpperCase()) ?? [];
    params.set(name.toUpperCase(), list);
    for (const [, quoted, bare = ""] of values.matchAll(/"([^"]*)"|([^,]+)/g)) {
      list.push(quoted ?? bare);
    }
  }
  return params;
};

const decoded = (value: string, params: ReadonlyMap<string, readonly string[]>): string => {
  const encodings = [...(params.get("ENCODING") ?? []), ...(params.get("TYPE") ?? [])];
  if (!encodings.some((name) => name.toUpperCase() === "QUOTED-PRINTABLE")) {
    return value;
  }
  const bytes = value.replaceAll(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const raw = Buffer.from(bytes, isByteString(bytes) ? "latin1" : "utf8");
  try {
    return new TextDecoder(params.get("CHARSET")?.[0] ?? "utf-8").decode(raw);
  } catch {
    return new TextDecoder("windows-1252").decode(raw);
  }
};

const isByteString = (text: string): boolean => Array.from(text).every((character) => character <= "\u00ff");

/** @returns the text of an escaped value */
export const unescaped = (value: string): string =>
  value.replaceAll(/\\([\\;,nN:])/g, (_, mark) => (mark === "n" || mark === "N" ? "\n" : mark));

/** @returns the parts of a structured value, each unescaped */
export const partsOf = (value: string, separator: ";" | ","): string[] => {
  const parts: string[][] = [[]];
  // The alternatives match any input, including a trailing backslash, so no character is examined twice.
  for (const [piece] of value.matchAll(/(?:\\.|[^\\;,])+|[\\;,]/gs)) {
    if (piece === separator) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(piece);
    }
  }
  return parts.map((pieces) => unescaped(pieces.join("")));
};

/** @returns the text escaped for a value */
export const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, "\\$&").replaceAll(/\r\n|\n|\r/g, "\\n");

/** Maximum bytes of a line before it is folded (RFC 5545, 3.1). */
const LINE_BYTES_MAX = 75;

/** @returns the lines, folded and terminated as the formats require */
export const folded = (lines: readonly string[]): string =>
  lines
    .flatMap((line) => {
      const rows: string[] = [];
      let row = "";
      for (const character of line) {
        if (Buffer.byteLength(row + character) > LINE_BYTES_MAX - (rows.length === 0 ? 0 : 1)) {
          rows.push(row);
          row = "";
        }
        row += character;
      }
      return [...rows, row].map((text, index) => (index === 0 ? text : ` ${text}`));
    })
    .map((line) => `${line}\r\n`)
    .join("");
