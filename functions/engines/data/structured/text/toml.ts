import { parse, TomlDate, TomlError } from "smol-toml";
import { TREE_DEPTH_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { type Codec, corrupt, type Source } from "../codec.ts";
import { doubleOf, integerOf } from "../numbers.ts";
import type { Moment, Tree } from "../tree.ts";
import { writeToml } from "./toml-writer.ts";

/** Strings, in which `#` does not start a comment. */
const STRING = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g;

/** TOML 1.0. */
export const tomlCodec: Codec = {
  read: async (source) => {
    const text = await source.text();
    const tree = treeOf(parsed(text), source, 0);
    // The following steps require terminated strings.
    source.notes.add("times_rounded", /:\d\d\.\d{3}\d*[1-9]/.test(text) ? 1 : 0);
    source.notes.add("comments_dropped", text.replace(STRING, "").includes("#") ? 1 : 0);
    return tree;
  },
  write: writeToml,
};

const parsed = (text: string): unknown => {
  try {
    return parse(text, { integersAsBigInt: true, maxDepth: TREE_DEPTH_MAX });
  } catch (error) {
    if (error instanceof TomlError) {
      const what = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "");
      throw corrupt(`Malformed TOML: ${what}: line ${error.line}, column ${error.column}.`, { cause: error });
    }
    throw error;
  }
};

const treeOf = (value: unknown, source: Source, depth: number): Tree => {
  source.budget.depth(depth);
  source.budget.spend(1, typeof value === "string" ? value.length : 0);
  if (typeof value === "bigint") {
    return integerOf(value);
  }
  if (typeof value === "number") {
    return doubleOf(value);
  }
  if (typeof value === "string" || typeof value === "boolean") {
    return value;
  }
  if (value instanceof TomlDate) {
    return { kind: momentOf(value), text: value.toISOString() };
  }
  if (Array.isArray(value)) {
    return value.map((item) => treeOf(item, source, depth + 1));
  }
  return new Map(Object.entries(value ?? {}).map(([key, item]) => [key, treeOf(item, source, depth + 1)]));
};

const momentOf = (date: TomlDate): Moment => {
  if (date.isDateTime()) {
    return date.isLocal() ? "local" : "instant";
  }
  return date.isDate() ? "date" : "time";
};
