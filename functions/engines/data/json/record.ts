import { JobError } from "../../../domain/errors.ts";
import { compactJson } from "./layout.ts";

/**
 * The fields of a JSON value as JSON texts, so that numbers keep every digit as written.
 */

/** Maximum nesting of objects that become columns (`address.city`); deeper ones remain JSON. */
const FLAT_DEPTH_MAX = 8;

/**
 * @param flat whether fields of nested objects are returned at the top level, as `outer.inner`
 * @returns the fields by name, as JSON; a value that is not an object is one field `value`, an array has `column1`, …
 * @throws JobError `source_corrupt` when the text is not valid JSON
 */
export const fieldsOf = (text: string, flat: boolean): Map<string, string> => {
  checkJson(text);
  return fieldsOfChecked(text, flat);
};

/** @returns the same fields as {@link fieldsOf}, for a text that is known to be valid JSON */
export const fieldsOfChecked = (text: string, flat: boolean): Map<string, string> => {
  const fields = new Map<string, string>();
  if (text.startsWith("{")) {
    readObject(text, 0, { fields, prefix: "", depth: flat ? FLAT_DEPTH_MAX : 0 });
  } else if (text.startsWith("[")) {
    elementsOf(text).forEach((element, index) => void fields.set(`column${index + 1}`, element));
  } else {
    fields.set("value", text);
  }
  return fields;
};

/** @throws JobError `source_corrupt` when the text is not valid JSON */
export const checkJson = (text: string): void => {
  try {
    JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 150) : "";
    throw new JobError("source_corrupt", `Invalid JSON: ${reason}.`, { cause: error });
  }
};

/** @returns the nesting depth of the innermost value */
export const depthOf = (json: string): number => {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at) - 1;
    } else if (isBracket(code)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
    }
  }
  return deepest;
};

/** @returns the text of a value in a cell: a string without quotes, an object or an array as JSON */
export const textOfJson = (json: string): string | null => {
  if (json === "null") {
    return null;
  }
  return json.startsWith('"') ? stringOf(json) : json;
};

/** @returns the value of a JSON string */
const stringOf = (json: string): string => (json.includes("\\") ? String(JSON.parse(json)) : json.slice(1, -1));

interface Into {
  readonly fields: Map<string, string>;
  readonly prefix: string;
  readonly depth: number;
}

/** @returns the end of the object that starts at `at`; the text is known to be valid JSON */
const readObject = (text: string, at: number, into: Into): number => {
  let next = skipSpace(text, at + 1);
  while (text[next] !== "}") {
    const keyEnd = endOfValue(text, next);
    const name = into.prefix + stringOf(text.slice(next, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    next = skipSpace(text, readField(text, { start, name, into }));
    next = text[next] === "," ? skipSpace(text, next + 1) : next;
  }
  return next + 1;
};

const readField = (text: string, { start, name, into }: { start: number; name: string; into: Into }): number => {
  const { fields, depth } = into;
  if (text[start] === "{" && depth > 0 && text[skipSpace(text, start + 1)] !== "}") {
    return readObject(text, start, { fields, prefix: `${name}.`, depth: depth - 1 });
  }
  const end = endOfValue(text, start);
  const json = text.slice(start, end);
  fields.set(name, isBracket(text.charCodeAt(start)) ? compactJson(json) : json);
  return end;
};

/** @returns the elements of an array as JSON */
const elementsOf = (text: string): string[] => {
  const elements: string[] = [];
  let next = skipSpace(text, 1);
  while (text[next] !== "]") {
    const end = endOfValue(text, next);
    elements.push(compactJson(text.slice(next, end)));
    next = skipSpace(text, end);
    next = text[next] === "," ? skipSpace(text, next + 1) : next;
  }
  return elements;
};

const skipSpace = (text: string, at: number): number => {
  let next = at;
  while (text.charCodeAt(next) <= SPACE) {
    next += 1;
  }
  return next;
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_ARRAY = 0x5d;
const BACKSLASH = 0x5c;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

const isBracket = (code: number): boolean => code === 0x5b || code === 0x7b;

/** @returns the end of the value that starts at `at` */
const endOfValue = (text: string, at: number): number => {
  const first = text.charCodeAt(at);
  if (first === QUOTE) {
    return endOfString(text, at);
  }
  return isBracket(first) ? endOfBrackets(text, at) : endOfLiteral(text, at);
};

const endOfLiteral = (text: string, at: number): number => {
  let end = at;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= SPACE) {
      break;
    }
  }
  return end;
};

const endOfBrackets = (text: string, at: number): number => {
  let depth = 0;
  for (let next = at; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) {
      next = endOfString(text, next) - 1;
    } else if (isBracket(code)) {
      depth += 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) {
        return next + 1;
      }
    }
  }
  return text.length;
};

/** @returns the end of the string that starts at `at`; the end of the text when it is not terminated */
const endOfString = (text: string, at: number): number => {
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end === -1 ? text.length : end + 1;
};

/** @returns whether an odd number of backslashes precedes the position */
const isEscaped = (text: string, at: number): boolean => {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) {
    start -= 1;
  }
  return (at - start) % 2 === 1;
};
