import { GotenbergError } from "./errors.ts";

/** Values of Gotenberg's form fields. */

type Fields = ReadonlyMap<string, string>;

const MILLIMETERS: Readonly<Record<string, number>> = {
  pt: 25.4 / 72,
  px: 25.4 / 96,
  in: 25.4,
  mm: 1,
  cm: 10,
  pc: 25.4 / 6,
};

/** Maximum characters of a value in a message. */
const SHOWN_CHARACTERS_MAX = 100;

/** @returns the error for a field with a wrong value */
export const invalid = (name: string, value: string): GotenbergError =>
  new GotenbergError(
    400,
    `Invalid form data: form field '${name}' is invalid (got '${value.slice(0, SHOWN_CHARACTERS_MAX)}').`,
  );

/** @returns a length in millimeters: a number is in inches, and units are `pt`, `px`, `in`, `mm`, `cm` and `pc` */
export const millimeters = (fields: Fields, name: string): number | undefined => {
  const text = fields.get(name);
  if (text === undefined || text === "") {
    return undefined;
  }
  const [, number = "", unit = "in"] = /^(\d+(?:\.\d+)?)(pt|px|in|mm|cm|pc)?$/.exec(text) ?? [];
  if (number === "") {
    throw invalid(name, text);
  }
  return Math.round(Number(number) * (MILLIMETERS[unit] ?? 1) * 1_000) / 1_000;
};

/** @returns a duration of Go, such as `500ms`, `5s` or `1m`, in milliseconds */
export const milliseconds = (fields: Fields, name: string): number | undefined => {
  const text = fields.get(name);
  if (text === undefined || text === "") {
    return undefined;
  }
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (number === "") {
    throw invalid(name, text);
  }
  return Math.round(Number(number) * ({ ms: 1, s: 1_000, m: 60_000 }[unit] ?? 1));
};

export const flag = (fields: Fields, name: string): boolean | undefined => {
  const text = fields.get(name);
  if (text === undefined || text === "") {
    return undefined;
  }
  if (text !== "true" && text !== "false") {
    throw invalid(name, text);
  }
  return text === "true";
};

export const number = (fields: Fields, name: string): number | undefined => {
  const text = fields.get(name);
  if (text === undefined || text === "") {
    return undefined;
  }
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) {
    throw invalid(name, text);
  }
  return Number(text);
};

export const text = (fields: Fields, name: string): string | undefined => fields.get(name) || undefined;

/** @throws GotenbergError 400 */
export const required = (fields: Fields, name: string): string => {
  const value = fields.get(name);
  if (value === undefined || value === "") {
    throw new GotenbergError(400, `Invalid form data: form field '${name}' is required.`);
  }
  return value;
};

/** @returns a field with JSON. The result is checked by its reader */
export const json = (fields: Fields, name: string): unknown => {
  const value = fields.get(name);
  if (value === undefined || value === "") {
    return undefined;
  }
  try {
    return JSON.parse(value);
  } catch {
    throw invalid(name, value);
  }
};

/** @returns the options that are set */
export const defined = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
