import { isXmlText, xmlText } from "../../text/xml.ts";
import type { Target } from "../codec.ts";
import { millisecondsOf } from "../moments.ts";
import { type TextParts, textParts } from "../text/parts.ts";
import { type Exact, isBytes, isExact, isList, isMap, type Tree, textOf } from "../tree.ts";

/** @returns the tree as an XML property list, which has no null */
export const writePlist = (tree: Tree, target: Target): Uint8Array[] => {
  const parts = textParts();
  parts.push(`<?xml version="1.0" encoding="UTF-8"?>\n${DOCTYPE}\n<plist version="1.0">`);
  value({ parts, target }, tree, "\n");
  parts.push("\n</plist>\n");
  return parts.done();
};

const DOCTYPE =
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">';

interface Writer {
  readonly parts: TextParts;
  readonly target: Target;
}

const value = (writer: Writer, tree: Tree, line: string): void => {
  const { parts, target } = writer;
  const inner = target.indent === 0 ? line : line + " ".repeat(target.indent);
  if (isMap(tree)) {
    parts.push(line, "<dict>");
    for (const [key, member] of tree) {
      if (isThere(writer, member)) {
        parts.push(inner, "<key>", text(writer, key), "</key>");
        value(writer, member, inner);
      }
    }
    parts.push(line, "</dict>");
  } else if (isList(tree)) {
    parts.push(line, "<array>");
    for (const member of tree) {
      if (isThere(writer, member)) {
        value(writer, member, inner);
      }
    }
    parts.push(line, "</array>");
  } else {
    const [name, content] = scalar(writer, tree);
    parts.push(line, content === undefined ? `<${name}/>` : `<${name}>${content}</${name}>`);
  }
};

const isThere = ({ target }: Writer, member: Tree): boolean => {
  if (member === null) {
    target.notes.add("nulls_dropped");
  }
  return member !== null;
};

const text = ({ target }: Writer, content: string): string => {
  if (!isXmlText(content)) {
    target.notes.add("characters_replaced");
  }
  return xmlText(content);
};

/** @returns the element name and its content */
const scalar = (
  writer: Writer,
  tree: Exclude<Tree, readonly Tree[] | ReadonlyMap<string, Tree>>,
): readonly [string, string?] => {
  if (typeof tree === "boolean") {
    return [String(tree)];
  }
  if (isBytes(tree)) {
    return ["data", textOf(tree)];
  }
  if (isExact(tree) && tree.kind !== "decimal") {
    return moment(writer, tree);
  }
  if (typeof tree === "bigint" && BigInt.asIntN(64, tree) !== tree && BigInt.asUintN(64, tree) !== tree) {
    writer.target.notes.add("types_as_text");
    return ["string", String(tree)];
  }
  if (typeof tree === "number" || typeof tree === "bigint" || isExact(tree)) {
    // Larger numbers were doubles in the source, and would be written with an exponent.
    const isInteger = typeof tree === "bigint" || Number.isSafeInteger(tree);
    return [isInteger ? "integer" : "real", number(tree)];
  }
  return ["string", text(writer, tree ?? "")];
};

const number = (tree: number | bigint | Exact): string =>
  typeof tree === "number" && !Number.isFinite(tree)
    ? (new Map([
        [Number.POSITIVE_INFINITY, "+infinity"],
        [Number.NEGATIVE_INFINITY, "-infinity"],
      ]).get(tree) ?? "nan")
    : textOf(tree);

/** A property list date is an instant in seconds. */
const moment = ({ target }: Writer, tree: Exact): readonly [string, string] => {
  const time = tree.kind === "instant" ? millisecondsOf(tree) : undefined;
  if (time === undefined) {
    target.notes.add("types_as_text");
    return ["string", tree.text];
  }
  if (/\.\d*[1-9]/.test(tree.text)) {
    target.notes.add("times_rounded");
  }
  return ["date", `${new Date(time).toISOString().slice(0, 19)}Z`];
};
