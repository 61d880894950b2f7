import { TREE_CHARACTERS_MAX, TREE_DEPTH_MAX, TREE_NODES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Notes } from "./notes.ts";

/** The values that all formats are read into and written from. They keep the order of keys and all digits. */
export type Tree = null | boolean | number | bigint | string | Exact | Uint8Array | readonly Tree[] | TreeMap;

/** A map, so that keys such as `2`, `10` and `__proto__` need no special treatment and keep their order. */
export type TreeMap = ReadonlyMap<string, Tree>;

/**
 * A value that is kept as text. `decimal`: a JSON number that a double would not round-trip (`1.10`, `1.0`, 30 digits);
 * `instant`: an RFC 3339 time with an offset; `local`: one without; `date` and `time`: its parts.
 */
export interface Exact {
  readonly kind: "decimal" | Moment;
  readonly text: string;
}

export type Moment = "instant" | "local" | "date" | "time";

export const isMap = (tree: Tree): tree is TreeMap => tree instanceof Map;
export const isList = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree);
export const isBytes = (tree: Tree): tree is Uint8Array => tree instanceof Uint8Array;
export const isExact = (tree: Tree): tree is Exact => typeof tree === "object" && tree !== null && "kind" in tree;

/** Counts the content of a file while it is read, so that a small file cannot become a huge tree. */
export interface Budget {
  /** @throws JobError `output_too_large` when there are too many values, or too much text in them */
  spend(nodes: number, characters: number): void;
  /** @throws JobError `unsupported_feature` when values are nested more than {@link TREE_DEPTH_MAX} levels deep */
  depth(levels: number): void;
  /** The totals so far. */
  spent(): { readonly nodes: number; readonly characters: number };
}

export const newBudget = (): Budget => {
  let nodes = 0;
  let characters = 0;
  return {
    spend: (more, text) => {
      nodes += more;
      characters += text;
      if (nodes > TREE_NODES_MAX || characters > TREE_CHARACTERS_MAX) {
        throw new JobError(
          "output_too_large",
          `The file has more than ${TREE_NODES_MAX} values or ${TREE_CHARACTERS_MAX} characters after references are expanded.`,
        );
      }
    },
    depth: (levels) => {
      if (levels > TREE_DEPTH_MAX) {
        throw new JobError("unsupported_feature", `The values are nested more than ${TREE_DEPTH_MAX} levels deep.`);
      }
    },
    spent: () => ({ nodes, characters }),
  };
};

/** @returns a map for adding entries one by one; the last of duplicate keys wins, and a note is added */
export const newMap = (notes: Notes) => {
  const map = new Map<string, Tree>();
  return {
    map,
    add: (key: string, value: Tree): void => {
      if (map.has(key)) {
        notes.add("duplicate_keys");
      }
      map.set(key, value);
    },
  };
};

/** Maximum characters of a key that is an object: nested quotes are escaped at each level, which doubles them. */
const KEY_CHARACTERS_MAX = 100_000;

/**
 * @returns a key as text, for formats whose keys may have other types
 * @throws JobError `unsupported_feature` for a list or an object over {@link KEY_CHARACTERS_MAX} characters
 */
export const keyOf = (key: Tree, notes: Notes): string => {
  if (typeof key === "string") {
    return key;
  }
  notes.add("keys_as_text");
  const text = isMap(key) || isList(key) ? JSON.stringify(plain(key)) : textOf(key);
  if (text.length > KEY_CHARACTERS_MAX) {
    throw new JobError(
      "unsupported_feature",
      `A key that is not text has more than ${KEY_CHARACTERS_MAX} characters, the maximum.`,
    );
  }
  return text;
};

/** @returns a value that is neither a map nor a list as text, with bytes in Base64 */
export const textOf = (value: Exclude<Tree, readonly Tree[] | TreeMap>): string => {
  if (isBytes(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  }
  return isExact(value) ? value.text : String(value);
};

const plain = (tree: Tree): unknown => {
  if (isMap(tree)) {
    return Object.fromEntries([...tree].map(([key, value]) => [key, plain(value)]));
  }
  return isList(tree) ? tree.map(plain) : typeof tree === "number" || tree === null ? tree : textOf(tree);
};
