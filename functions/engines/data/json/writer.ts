import { INDENT } from "../../../domain/conversions/options/tables.ts";
import { indentedJson } from "./layout.ts";

/** @returns an object as JSON, from keys in JSON and values in JSON; undefined values are left out */
export const objectOf = (keys: readonly string[], values: readonly (string | undefined)[]): string => {
  let text = "";
  for (let index = 0; index < keys.length; index += 1) {
    const value = values[index];
    if (value !== undefined) {
      text += `${text === "" ? "" : ","}${keys[index]}:${value}`;
    }
  }
  return `{${text}}`;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are escaped
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** @returns a text as JSON; most need only quotes, which takes a third of the time */
export const jsonString = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

/** A list of records to write as JSON. With several lists, each is a member with its name. */
export interface JsonList {
  readonly name: string;
  /** JSON texts. */
  records(): AsyncIterable<readonly string[]>;
}

/** @returns an array of records, or an object of several arrays by name, as a stream of text */
export const jsonText = async function* (lists: readonly JsonList[], indent = INDENT): AsyncGenerator<string> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) {
    yield* arrayText(only, indent, 0);
  } else {
    const line = indent === 0 ? "" : `\n${" ".repeat(indent)}`;
    yield "{";
    for (const [index, list] of lists.entries()) {
      yield `${index === 0 ? "" : ","}${line}${JSON.stringify(list.name)}:${indent === 0 ? "" : " "}`;
      yield* arrayText(list, indent, 1);
    }
    yield indent === 0 ? "}" : "\n}";
  }
  yield "\n";
};

const arrayText = async function* (list: JsonList, indent: number, level: number): AsyncGenerator<string> {
  const line = (depth: number) => (indent === 0 ? "" : `\n${" ".repeat(indent * depth)}`);
  let first = true;
  yield "[";
  for await (const records of list.records()) {
    let text = "";
    for (const record of records) {
      text += `${first ? "" : ","}${line(level + 1)}${indent === 0 ? record : indentedJson(record, indent, level + 1)}`;
      first = false;
    }
    if (text !== "") {
      yield text;
    }
  }
  yield first ? "]" : `${line(level)}]`;
};

/** @returns one record per line */
export const linesText = async function* ({ records }: Pick<JsonList, "records">): AsyncGenerator<string> {
  for await (const batch of records()) {
    if (batch.length > 0) {
      yield `${batch.join("\n")}\n`;
    }
  }
};
