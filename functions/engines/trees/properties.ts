import { type Codec, corrupt, type Target } from "./codec.ts";
import { type TextParts, textParts } from "./text-parts.ts";
import { isBytes, isExact, isList, isMap, newMap, type Tree, textOf } from "./tree.ts";

/**
 * Java's .properties (java.util.Properties). They are read as they stand: the dots of a key make no objects. Objects
 * and lists are written with dots: `servers.0.name`. What is not ASCII is written as `\uXXXX`, which every reader knows.
 */
export const propertiesCodec: Codec = {
  read: async ({ text, notes, budget }) => {
    const { map, add } = newMap(notes);
    for (const line of logicalLines(await text())) {
      budget.spend(1, line.length);
      if (/^[#!]/.test(line)) {
        notes.add("comments_dropped");
      } else {
        const end = keyEnd(line);
        add(unescaped(line.slice(0, end)), unescaped(line.slice(end).replace(SEPARATOR, "")));
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

const SEPARATOR = /^[ \t\f]*[=:]?[ \t\f]*/;

/** @returns where the key ends: at a sign or a space that has no backslash before it */
const keyEnd = (line: string): number => {
  let end = 0;
  while (end < line.length && !/[\s=:]/.test(line[end] ?? "")) {
    end += line[end] === "\\" ? 2 : 1;
  }
  return end;
};

/** @returns the lines without the space before them; one that ends in a backslash goes on in the next */
const logicalLines = (text: string): string[] => {
  const lines: string[] = [];
  let open: string | undefined;
  for (const natural of text.split(/\r\n|[\r\n]/)) {
    const line: string = (open ?? "") + natural.replace(/^[ \t\f]+/, "");
    const goesOn = !(open === undefined && /^[#!]/.test(line)) && backslashesAtEnd(line) % 2 === 1;
    open = goesOn ? line.slice(0, -1) : undefined;
    if (!goesOn && line !== "") {
      lines.push(line);
    }
  }
  return open === undefined || open === "" ? lines : [...lines, open];
};

const backslashesAtEnd = (line: string): number => {
  let count = 0;
  while (line[line.length - 1 - count] === "\\") {
    count += 1;
  }
  return count;
};

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

const unescaped = (text: string): string =>
  text.replace(/\\(u[\da-fA-F]{4}|[\s\S])/g, (_, sign: string) => {
    if (sign.length > 1) {
      return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
    }
    if (sign === "u") {
      throw corrupt("The properties have a \\u without four hexadecimal digits behind it.");
    }
    return ESCAPES[sign] ?? sign;
  });

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
