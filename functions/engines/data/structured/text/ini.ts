import { type Codec, corrupt, type Source } from "../codec.ts";
import type { Tree } from "../tree.ts";
import { writeIni } from "./ini-writer.ts";

/**
 * INI in the dialects of Windows, PHP, Git and Python's configparser: sections, `key = value` or `key: value`, comment
 * lines, `key[]` for lists, and indented lines that continue the value before them. All values are text.
 */
export const iniCodec: Codec = {
  read: async (source) => {
    const lines = (await source.text()).split(/\r\n|[\r\n]/);
    const reader: Reader = { source, root: new Map(), section: undefined, last: undefined, pairs: 0 };
    for (const line of lines) {
      readLine(reader, line);
    }
    if (reader.pairs === 0 && lines.some((line) => line.trim() !== "" && !COMMENT.test(line))) {
      throw corrupt("Not an INI file: it has no section and no key with a value.");
    }
    return reader.root;
  },
  write: writeIni,
};

interface Reader {
  readonly source: Source;
  readonly root: Map<string, Tree>;
  section: Map<string, Tree> | undefined;
  /** The key of the last value, which the next line may continue. */
  last: string | undefined;
  /** Lines that are evidence of INI. */
  pairs: number;
}

const COMMENT = /^\s*[;#]/;
const SECTION = /^\s*\[(.*)\]\s*(?:[;#].*)?$/s;
const PAIR = /^\s*([^=:\s](?:[^=:]*[^=:\s])?)\s*[=:](.*)$/s;

const readLine = (reader: Reader, line: string): void => {
  const { source, root } = reader;
  source.budget.spend(1, line.length);
  if (COMMENT.test(line)) {
    source.notes.add("comments_dropped");
    return;
  }
  const section = SECTION.exec(line)?.[1]?.trim();
  if (section !== undefined) {
    const known = root.get(section);
    reader.section = known instanceof Map ? known : new Map();
    root.set(section, reader.section);
    reader.last = undefined;
    reader.pairs += 1;
    return;
  }
  const [, key, value = ""] = PAIR.exec(line) ?? [];
  if (key !== undefined) {
    reader.pairs += 1;
    addPair(reader, key, unquoted(value.trim()));
  } else if (line.trim() !== "") {
    addBare(reader, line);
  }
};

/** @returns the content of double quotes, with JSON escapes if present, or of single quotes */
const unquoted = (value: string): string => {
  if (/^".*"$/s.test(value)) {
    try {
      return String(JSON.parse(value));
    } catch {
      return value.slice(1, -1);
    }
  }
  return /^'.*'$/s.test(value) ? value.slice(1, -1) : value;
};

const addPair = (reader: Reader, key: string, value: string): void => {
  const target = reader.section ?? reader.root;
  const name = key.endsWith("[]") ? key.slice(0, -2).trimEnd() : key;
  const known = target.get(name);
  reader.last = key.endsWith("[]") ? undefined : name;
  if (name !== key) {
    // In place: copying the list for each value would take quadratic time.
    if (Array.isArray(known)) {
      known.push(value);
    } else {
      target.set(name, [value]);
    }
    return;
  }
  if (target.has(name)) {
    reader.source.notes.add("duplicate_keys");
  }
  target.set(name, value);
};

/** A line without a separator: a continuation of the value before it, or a key without a value. */
const addBare = (reader: Reader, line: string): void => {
  const target = reader.section ?? reader.root;
  const last = reader.last === undefined ? undefined : target.get(reader.last);
  if (/^\s/.test(line) && reader.last !== undefined && typeof last === "string") {
    target.set(reader.last, last === "" ? line.trim() : `${last}\n${line.trim()}`);
    return;
  }
  target.set(line.trim(), null);
};
