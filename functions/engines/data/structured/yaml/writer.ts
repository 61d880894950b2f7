import type { Target } from "../codec.ts";
import { type TextParts, textParts } from "../text/parts.ts";
import { isBytes, isExact, isList, isMap, type Tree, textOf } from "../tree.ts";

/** @returns the tree as YAML that YAML 1.1 and 1.2 parsers read the same way */
export const writeYaml = (tree: Tree, { indent }: Target): Uint8Array[] => {
  const parts = textParts();
  if (indent === 0) {
    flow(parts, tree);
    parts.push("\n");
    return parts.done();
  }
  const many = (isMap(tree) && tree.size > 0) || (isList(tree) && tree.length > 0);
  block({ parts, step: indent }, tree, many ? "" : undefined);
  parts.push(many ? "" : "\n");
  return parts.done();
};

interface Writer {
  readonly parts: TextParts;
  readonly step: number;
}

/**
 * Writes a value after `key:` or `-`.
 *
 * @param before indentation of its members; undefined: the value is written on one line
 */
const block = (writer: Writer, tree: Tree, before: string | undefined): void => {
  const { parts } = writer;
  if (isMap(tree) && before !== undefined) {
    for (const [key, value] of tree) {
      parts.push(before, keyText(key), ":");
      member(writer, value, before);
    }
  } else if (isList(tree) && before !== undefined) {
    for (const value of tree) {
      parts.push(before, "-");
      member(writer, value, before);
    }
  } else {
    flow(parts, tree);
  }
};

const member = (writer: Writer, value: Tree, before: string): void => {
  const { parts, step } = writer;
  const inner = before + " ".repeat(step);
  if ((isMap(value) && value.size > 0) || (isList(value) && value.length > 0)) {
    parts.push("\n");
    block(writer, value, inner);
    return;
  }
  parts.push(" ");
  if (typeof value === "string" && isLiteral(value)) {
    literal(parts, value, { inner, step });
  } else {
    flow(parts, value);
    parts.push("\n");
  }
};

/** Multi-line text that a literal block reproduces exactly: without invisible characters. */
const isLiteral = (text: string): boolean =>
  /[^\n]\n/.test(text) && !/[^\n\x20-\x7e\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe]/.test(text);

const literal = (parts: TextParts, text: string, { inner, step }: { inner: string; step: number }): void => {
  let end = 0;
  while (text[text.length - 1 - end] === "\n") {
    end += 1;
  }
  // Leading spaces of the text would be read as indentation, so an indentation indicator is written.
  const stated = /^[\n ]/.test(text) ? String(step) : "";
  parts.push("|", stated, end === 0 ? "-" : end === 1 ? "" : "+", "\n");
  for (const line of text.slice(0, text.length - Math.min(end, 1)).split("\n")) {
    parts.push(line === "" ? "" : inner, line, "\n");
  }
};

const flow = (parts: TextParts, tree: Tree): void => {
  if (isMap(tree)) {
    let mark = "{";
    for (const [key, value] of tree) {
      parts.push(mark, JSON.stringify(key), ": ");
      flow(parts, value);
      mark = ", ";
    }
    parts.push(tree.size === 0 ? "{}" : "}");
  } else if (isList(tree)) {
    let mark = "[";
    for (const value of tree) {
      parts.push(mark);
      flow(parts, value);
      mark = ", ";
    }
    parts.push(tree.length === 0 ? "[]" : "]");
  } else {
    parts.push(scalar(tree));
  }
};

const scalar = (value: Exclude<Tree, readonly Tree[] | ReadonlyMap<string, Tree>>): string => {
  if (typeof value === "string") {
    return stringText(value);
  }
  if (isBytes(value)) {
    return `!!binary "${textOf(value)}"`;
  }
  if (isExact(value) && value.kind === "time") {
    return JSON.stringify(value.text);
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
  }
  const text = textOf(value);
  // YAML 1.1 reads 1e5 as a string: its exponents need a sign, and its decimals a point.
  return /^-?\d+(?:\.\d+)?[eE]/.test(text) ? withPoint(text) : text;
};

const withPoint = (text: string): string =>
  text.replace(
    /^(-?\d+)(\.\d+)?([eE])([+-]?)/,
    (_, integer, fraction = ".0", power, sign) => `${integer}${fraction}${power}${sign || "+"}`,
  );

const keyText = (key: string): string => (key.length > 120 || key === "<<" ? JSON.stringify(key) : stringText(key));

const stringText = (text: string): string => (isPlain(text) ? text : quoted(text));

/** JSON strings are valid YAML; characters that JSON allows and YAML does not print are escaped. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Starts like a word and has no special characters. */
const PLAIN = /^[\p{L}_/][\p{L}\p{M}\p{N} _/.()@%+*=<>?$&;^~-]*$/u;
/** Text that YAML 1.1 or 1.2 would read as another type. */
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n|nan|inf)$/i;

const isPlain = (text: string): boolean => PLAIN.test(text) && !text.endsWith(" ") && !RESERVED.test(text);
