import type { Target } from "../codec.ts";
import { nearest } from "../numbers.ts";
import { isBytes, isExact, isList, isMap, type Tree, type TreeMap, textOf } from "../tree.ts";
import { type TextParts, textParts } from "./parts.ts";

/** @returns the tree as TOML 1.0, whose top level is a table and which has no null */
export const writeToml = (tree: Tree, target: Target): Uint8Array[] => {
  if (!isMap(tree)) {
    target.notes.add("root_wrapped");
  }
  const writer: Writer = { parts: textParts(), target };
  table(writer, isMap(tree) ? tree : new Map([[isList(tree) ? "items" : "value", tree]]), []);
  return writer.parts.done();
};

interface Writer {
  readonly parts: TextParts;
  readonly target: Target;
}

/** The values of a table come first: anything after the header of another table belongs to that table. */
const table = (writer: Writer, map: TreeMap, path: readonly string[]): void => {
  const { parts } = writer;
  const tables: (readonly [string, Tree])[] = [];
  for (const [key, value] of map) {
    if (isMap(value) || isTables(value)) {
      tables.push([key, value]);
    } else if (isThere(writer, value)) {
      parts.push(keyText(key), " = ", inline(writer, value), "\n");
    }
  }
  for (const [key, value] of tables) {
    const inner = [...path, keyText(key)];
    const name = inner.join(".");
    if (isMap(value)) {
      const onlyTables = value.size > 0 && [...value.values()].every((member) => isMap(member) || isTables(member));
      parts.push(onlyTables ? "" : `${gap(writer)}[${name}]\n`);
      table(writer, value, inner);
    } else {
      for (const member of isList(value) ? value.filter(isMap) : []) {
        parts.push(`${gap(writer)}[[${name}]]\n`);
        table(writer, member, inner);
      }
    }
  }
};

/** @returns the empty line before a table header; none at the start of the file */
const gap = ({ parts }: Writer): string => (parts.isEmpty() ? "" : "\n");

const isTables = (value: Tree): boolean => isList(value) && value.length > 0 && value.every(isMap);

const isThere = ({ target }: Writer, value: Tree): boolean => {
  if (value === null) {
    target.notes.add("nulls_dropped");
  }
  return value !== null;
};

const inline = (writer: Writer, value: Tree): string => {
  if (isList(value)) {
    return `[${value
      .filter((member) => isThere(writer, member))
      .map((member) => inline(writer, member))
      .join(", ")}]`;
  }
  if (isMap(value)) {
    const members = [...value].filter(([, member]) => isThere(writer, member));
    return `{${members.map(([key, member]) => ` ${keyText(key)} = ${inline(writer, member)}`).join(",")} }`;
  }
  return scalar(writer, value);
};

const scalar = ({ target }: Writer, value: Exclude<Tree, readonly Tree[] | TreeMap>): string => {
  if (typeof value === "string") {
    return stringText(value);
  }
  const huge = typeof value === "bigint" && BigInt.asIntN(64, value) !== value;
  const beyond = isExact(value) && value.kind === "decimal" && nearest(value) === undefined;
  if (huge || beyond || isBytes(value)) {
    target.notes.add("types_as_text");
    return JSON.stringify(textOf(value));
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }
  return textOf(value);
};

const keyText = (key: string): string => (/^[A-Za-z\d_-]+$/.test(key) ? key : quoted(key));

// biome-ignore lint/suspicious/noControlCharactersInRegex: multi-line strings cannot contain them
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f]/;

const stringText = (text: string): string =>
  text.includes("\n") && !HIDDEN.test(text) && text.isWellFormed()
    ? `"""\n${text.replaceAll("\\", "\\\\").replaceAll('"""', '""\\"')}"""`
    : quoted(text);

const quoted = (text: string): string => JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
