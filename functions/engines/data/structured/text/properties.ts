import { Comment, EmptyLine, Pair, parseLines } from "dot-properties";
import { type Codec, corrupt, type Target } from "../codec.ts";
import { isBytes, isExact, isList, isMap, newMap, type Tree, textOf } from "../tree.ts";
import { type TextParts, textParts } from "./parts.ts";

/**
 * Java's .properties (java.util.Properties). Keys are read unchanged: dots in them do not create objects. Objects and
 * lists are written with dots: `servers.0.name`. Non-ASCII characters are written as `\uXXXX`, which every reader
 * supports.
 */
export const propertiesCodec: Codec = {
  read: async ({ text, notes, budget }) => {
    const source = (await text()).replace(/\r\n?/g, "\n").replace(EMPTY_CONTINUATION, "");
    const { map, add } = newMap(notes);
    for (const line of parseLines(source, true)) {
      budget.spend(line instanceof EmptyLine ? 0 : 1, 0);
      if (line instanceof Comment) {
        notes.add("comments_dropped");
      }
      if (line instanceof Pair) {
        budget.spend(0, line.key.length + line.value.length);
        add(line.key, line.value);
        checkEscapes(source.slice(line.range?.[0], line.range?.[3]));
      }
    }
    return map;
  },
  write: (tree, target) => {
    const parts = textParts();
    flatten({ parts, target }, tree, []);
    parts.push(parts.isEmpty() ? "\n" : "");
    return parts.done();
  },
};

/** A line with only a backslash, which the parser reads as a pair without key and value. */
const EMPTY_CONTINUATION = /^[ \t\f]*\\(?:\n|(?![\s\S]))/gm;

/** The parser reads `\uXYZ` as `uXYZ`; Java rejects it. */
const checkEscapes = (pair: string): void => {
  if (/(?<!\\)(?:\\\\)*\\u(?![\da-fA-F]{4})/.test(pair)) {
    throw corrupt("The properties file has a \\u without four hexadecimal digits after it.");
  }
};

interface Writer {
  readonly parts: TextParts;
  readonly target: Target;
}

const flatten = (writer: Writer, tree: Tree, path: readonly string[]): void => {
  const { parts, target } = writer;
  if (isMap(tree) || isList(tree)) {
    const entries = isMap(tree) ? [...tree] : tree.map((value, index) => [String(index), value] as const);
    target.notes.add("structure_flattened", path.length > 0 || isList(tree) ? 1 : 0);
    for (const [key, value] of entries) {
      flatten(writer, value, [...path, key]);
    }
    return;
  }
  if (tree === null) {
    target.notes.add("nulls_dropped");
    return;
  }
  if (isBytes(tree) || (isExact(tree) && tree.kind !== "decimal")) {
    target.notes.add("types_as_text");
  }
  const key = escaped(path.join(".") || "value").replace(/[ =:#!]/g, "\\$&");
  parts.push(`${key} = ${escaped(textOf(tree)).replace(/^ /, "\\ ")}\n`);
};

const SIGNS: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f" };

const escaped = (text: string): string =>
  text.replace(
    /[^\x20-\x5b\x5d-\x7e]/g,
    (sign) => SIGNS[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
