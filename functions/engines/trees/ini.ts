import { type Codec, corrupt, type Source } from "./codec.ts";
import { writeIni } from "./ini-writer.ts";
import type { Tree } from "./tree.ts";

/**
 * INI as Windows, PHP, Git and Python's configparser have it: sections, `key = value` or `key: value`, comments that
 * begin a line, `key[]` for lists, a line that is set in goes on with the value before it. All values are text.
 */
export const iniCodec: Codec = {
  read: async (source) => {
    const lines = (await source.text()).split(/\r\n|[\r\n]/);
    const reader: Reader = { source, root: new Map(), section: undefined, last: undefined, told: 0 };
    for (const line of lines) {
      readLine(reader, line);
    }
    if (reader.told === 0 && lines.some((line) => line.trim() !== "" && !COMMENT.test(line))) {
      throw corrupt("The file is no INI: it has no section and no key with a value.");
    }
    return reader.root;
  },
  write: writeIni,
};

interface Reader {
  readonly source: Source;
  readonly root: Map<string, Tree>;
  section: Map<string, Tree> | undefined;
  /** The key of the last value, which the next line may go on with. */
  last: string | undefined;
  /** Lines that prove the file to be INI. */
  told: number;
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
    reader.told += 1;
    return;
  }
  const [, key, value = ""] = PAIR.exec(line) ?? [];
  if (key !== undefined) {
    reader.told += 1;
    addPair(reader, key, unquoted(value.trim()));
  } else if (line.trim() !== "") {
    addBare(reader, line);
  }
};

/** @returns the text in double quotes, with the escapes of JSON where it has some, or in single ones */
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
    // In place: a copy for each value would take time with the square of them.
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

/** A line without a sign: more of the value before it, or a key that has none. */
const addBare = (reader: Reader, line: string): void => {
  const target = reader.section ?? reader.root;
  const last = reader.last === undefined ? undefined : target.get(reader.last);
  if (/^\s/.test(line) && reader.last !== undefined && typeof last === "string") {
    target.set(reader.last, last === "" ? line.trim() : `${last}\n${line.trim()}`);
    return;
  }
  target.set(line.trim(), null);
};
