import type { Target } from "../codec.ts";
import { type TextParts, textParts } from "../text/parts.ts";
import { isBytes, isExact, isList, isMap, type Tree, textOf } from "../tree.ts";

/** The parts in which JSON and its variants differ when writing. */
export interface Style {
  readonly key: (key: string) => string;
  /** Notation of NaN and the infinities, if the format has them. */
  readonly notFinite?: (value: number) => string;
}

/** @returns the tree as text, with a final line end when it has several lines */
export const writeJson = (tree: Tree, target: Target, style: Style): Uint8Array[] => {
  const parts = textParts();
  write({ parts, target, style }, tree, target.indent === 0 ? "" : "\n");
  parts.push("\n");
  return parts.done();
};

interface Writer {
  readonly parts: TextParts;
  readonly target: Target;
  readonly style: Style;
}

/** @param line what precedes each member of the level: a line end and indentation, or nothing */
const write = (writer: Writer, tree: Tree, line: string): void => {
  const { parts, target, style } = writer;
  const inner = line === "" ? "" : line + " ".repeat(target.indent);
  const many = isMap(tree) ? tree.size > 0 : isList(tree) && tree.length > 0;
  if (isMap(tree)) {
    let mark = "{";
    for (const [key, value] of tree) {
      parts.push(mark, inner, style.key(key), line === "" ? ":" : ": ");
      write(writer, value, inner);
      mark = ",";
    }
    parts.push(many ? `${line}}` : "{}");
  } else if (isList(tree)) {
    let mark = "[";
    for (const value of tree) {
      parts.push(mark, inner);
      write(writer, value, inner);
      mark = ",";
    }
    parts.push(many ? `${line}]` : "[]");
  } else {
    parts.push(scalar(writer, tree));
  }
};

const scalar = (
  { target, style }: Writer,
  value: Exclude<Tree, readonly Tree[] | ReadonlyMap<string, Tree>>,
): string => {
  if (typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number" && !Number.isFinite(value) && style.notFinite !== undefined) {
    return style.notFinite(value);
  }
  const foreign = isBytes(value) || (isExact(value) && value.kind !== "decimal") || isNotFinite(value);
  if (foreign) {
    target.notes.add("types_as_text");
  }
  return foreign ? JSON.stringify(textOf(value)) : textOf(value);
};

const isNotFinite = (value: Tree): boolean => typeof value === "number" && !Number.isFinite(value);
