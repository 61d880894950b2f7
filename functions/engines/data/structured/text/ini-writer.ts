import type { Target } from "../codec.ts";
import { isBytes, isExact, isList, isMap, type Tree, type TreeMap, textOf } from "../tree.ts";
import { type TextParts, textParts } from "./parts.ts";

/** @returns the tree as INI; values nested deeper than a section become sections with dotted names */
export const writeIni = (tree: Tree, target: Target): Uint8Array[] => {
  if (!isMap(tree)) {
    target.notes.add("root_wrapped");
  }
  const parts = textParts();
  section({ parts, target }, isMap(tree) ? tree : new Map([[isList(tree) ? "items" : "value", tree]]), []);
  parts.push(parts.isEmpty() ? "\n" : "");
  return parts.done();
};

interface Writer {
  readonly parts: TextParts;
  readonly target: Target;
}

const section = (writer: Writer, map: TreeMap, path: readonly string[]): void => {
  const { parts, target } = writer;
  const inner: (readonly [string, TreeMap])[] = [];
  for (const [key, value] of map) {
    const nested = sectionsOf(value);
    if (nested !== undefined) {
      inner.push([key, nested]);
    } else if (isList(value)) {
      for (const member of value) {
        parts.push(`${keyText(writer, key)}[] = ${valueText(writer, member)}\n`);
      }
      target.notes.add("empty_lists_dropped", value.length === 0 ? 1 : 0);
    } else if (value === null) {
      target.notes.add("nulls_dropped");
    } else {
      parts.push(`${keyText(writer, key)} = ${valueText(writer, value)}\n`);
    }
  }
  for (const [key, value] of inner) {
    const below = [...path, key.replace(/[\]\r\n]/g, "_")];
    if (below.length > 1) {
      target.notes.add("structure_flattened");
    }
    parts.push(`${parts.isEmpty() ? "" : "\n"}[${below.join(".")}]\n`);
    section(writer, value, below);
  }
};

/** @returns an object; a list that contains objects becomes an object with indexes as keys */
const sectionsOf = (value: Tree): TreeMap | undefined => {
  if (isMap(value)) {
    return value;
  }
  const nested = isList(value) && value.some((member) => isMap(member) || isList(member));
  return nested ? new Map(value.map((member, index) => [String(index), member])) : undefined;
};

const keyText = ({ target }: Writer, key: string): string => {
  const allowed = key.replace(/[=:\r\n]|^[[;#\s]|\s$|^$|\[\]$/g, "_");
  if (allowed !== key) {
    target.notes.add("names_changed");
  }
  return allowed;
};

/** Comment signs, quotes and surrounding spaces would be misread. */
const UNSAFE = /^[\s"'[]|\s$|[\r\n]|[;#]/;

const valueText = ({ target }: Writer, value: Tree): string => {
  if (isMap(value) || isList(value) || value === null) {
    target.notes.add("nulls_dropped");
    return "";
  }
  if (isBytes(value) || (isExact(value) && value.kind !== "decimal")) {
    target.notes.add("types_as_text");
  }
  const text = textOf(value);
  return UNSAFE.test(text) ? JSON.stringify(text) : text;
};
