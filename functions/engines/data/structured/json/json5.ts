import type { Codec } from "../codec.ts";
import { integerOf, numberOf } from "../numbers.ts";
import type { Tree } from "../tree.ts";
import { type Dialect, failure, readJson, type Scan, take, takeQuoted } from "./reader.ts";
import { writeJson } from "./writer.ts";

/** JSON5 (spec.json5.org), which includes JSON with comments and trailing commas (JSONC). */

const LINE_END = /[\n\r\u2028\u2029]/g;
const SPACE = /[\s\ufeff]+/y;
const NAME = /[$_\p{L}\p{Nl}][$_\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u200c\u200d]*/uy;
const HEXADECIMAL = /[+-]?0[xX][\da-fA-F]+/y;
const NUMBER = /[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null|[+-]?(?:Infinity|NaN)/y;

const dialect: Dialect = {
  name: "JSON5",
  trailingCommas: true,
  controls: true,
  skip: (scan) => {
    for (let found = true; found; ) {
      const space = take(scan, SPACE);
      found = takeComment(scan) || space !== undefined;
    }
  },
  key: (scan) => take(scan, NAME) ?? string(scan),
  scalar: (scan): Tree => {
    const sign = scan.text[scan.at];
    if (sign === '"' || sign === "'") {
      return string(scan);
    }
    const word = take(scan, WORD);
    if (word !== undefined) {
      return WORDS.has(word) ? (WORDS.get(word) ?? null) : Number(word);
    }
    const hexadecimal = take(scan, HEXADECIMAL);
    return hexadecimal === undefined ? number(scan) : fromHexadecimal(hexadecimal);
  },
};

/** @returns whether a comment was skipped */
const takeComment = (scan: Scan): boolean => {
  const open = scan.text.slice(scan.at, scan.at + 2);
  if (open !== "//" && open !== "/*") {
    return false;
  }
  const end = open === "/*" ? scan.text.indexOf("*/", scan.at + 2) + 2 : lineEnd(scan);
  if (end === 1) {
    throw failure(scan, "Unterminated comment");
  }
  scan.at = end;
  scan.source.notes.add("comments_dropped");
  return true;
};

const lineEnd = ({ text, at }: Scan): number => {
  LINE_END.lastIndex = at;
  return LINE_END.exec(text)?.index ?? text.length;
};

const WORDS: ReadonlyMap<string, Tree> = new Map<string, Tree>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

const fromHexadecimal = (text: string): Tree => {
  const value = BigInt(text.replace(/^[+-]/, ""));
  return integerOf(text.startsWith("-") ? -value : value);
};

/** @returns the number in JSON notation, with a digit on each side of the point */
const number = (scan: Scan): Tree => {
  const text = take(scan, NUMBER);
  if (text === undefined) {
    throw failure(scan, "Missing value");
  }
  const complete = text.replace(/^\+/, "").replace(/^(-?)\./, "$10.");
  return numberOf(complete.replace(/\.(?!\d)/, ""));
};

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };

const string = (scan: Scan): string => {
  const { quoted, escaped } = takeQuoted(scan, scan.text[scan.at] === "'" ? "'" : '"');
  const body = quoted.slice(1, -1);
  const text = escaped
    ? body.replace(/\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|\r\n|[\s\S])/g, (_, sign: string) => unescaped(scan, sign))
    : body;
  scan.source.budget.spend(0, text.length);
  return text;
};

const unescaped = (scan: Scan, sign: string): string => {
  if (sign.length > 2) {
    return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
  }
  if (/^[ux1-9]/.test(sign)) {
    throw failure(scan, "Invalid escape in a string");
  }
  // A line end after a backslash is skipped: the string continues in the next line.
  return /^[\r\n\u2028\u2029]/.test(sign) ? "" : (ESCAPES[sign] ?? sign);
};

export const json5Codec: Codec = {
  read: async (source) => readJson(await source.text(), source, dialect),
  write: (tree, target) =>
    writeJson(tree, target, {
      key: (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)),
      notFinite: String,
    }),
};
