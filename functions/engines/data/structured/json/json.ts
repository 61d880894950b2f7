import type { Codec } from "../codec.ts";
import { numberOf } from "../numbers.ts";
import type { Tree } from "../tree.ts";
import { type Dialect, failure, readJson, type Scan, take, takeQuoted } from "./reader.ts";
import { writeJson } from "./writer.ts";

const SPACE = /[\t\n\r ]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Strict JSON (RFC 8259): anything it does not allow is rejected. */
const dialect: Dialect = {
  name: "JSON",
  trailingCommas: false,
  controls: false,
  skip: (scan) => {
    take(scan, SPACE);
  },
  key: (scan) => string(scan),
  scalar: (scan): Tree => {
    const sign = scan.text[scan.at];
    if (sign === '"') {
      return string(scan);
    }
    const number = take(scan, NUMBER);
    if (number !== undefined) {
      return numberOf(number);
    }
    const word = take(scan, WORD);
    if (word === undefined) {
      throw failure(scan, "Missing value");
    }
    return word === "null" ? null : word === "true";
  },
};

const string = (scan: Scan): string => {
  const { quoted, escaped } = takeQuoted(scan, '"');
  const text = escaped ? unescaped(scan, quoted) : quoted.slice(1, -1);
  scan.source.budget.spend(0, text.length);
  return text;
};

const unescaped = (scan: Scan, quoted: string): string => {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw failure(scan, "Invalid escape or character in a string");
  }
};

export const jsonCodec: Codec = {
  read: async (source) => readJson(await source.text(), source, dialect),
  write: (tree, target) => writeJson(tree, target, { key: (key) => JSON.stringify(key) }),
};
