import type { Conversion } from "../api.ts";
import type { Arguments } from "./arguments.ts";
import { UsageError } from "./exit.ts";

/** Conversion options of the command line, converted to the types that the service declares. */

interface Schema {
  readonly type?: string;
  /** Alternatives: a time is a number of seconds, or a text. */
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
}

/** The schemas of each option: conversions of several sources may differ. */
type Schemas = ReadonlyMap<string, readonly Schema[]>;

/** Inputs and options of a command line, resolved with the schemas of the conversion's options. */
export interface Meaning {
  readonly inputs: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * @param conversions conversions into the target, restricted to the inputs' formats if any are known
 * @param merge whether the inputs are merged: then there are options that no conversion has, which the service checks
 * @throws UsageError for an unknown option or an invalid value
 */
export const meaningOf = (args: Arguments, conversions: readonly Conversion[], merge = false): Meaning => {
  const schemas = schemasOf(conversions);
  const taken = new Set<number>();
  const given = args.texts("option").map((text): [string, string | undefined] => {
    const at = text.indexOf("=");
    return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  });
  for (const { name, value, word } of args.others) {
    const isSwitch = schemas.get(nameOf(name))?.[0]?.type === "boolean";
    if (value === undefined && word !== undefined && !isSwitch) {
      taken.add(word);
      given.push([name, args.words[word]]);
    } else {
      given.push([name, value]);
    }
  }
  return {
    inputs: args.words.filter((_, index) => !taken.has(index)),
    options: Object.fromEntries(
      given.map(([name, text]) => {
        const isUnchecked = merge && !schemas.has(nameOf(name));
        return [nameOf(name), isUnchecked ? untyped(text) : typed(name, text, schemas)];
      }),
    ),
  };
};

/** @returns the value that a text is as JSON; otherwise the text */
const untyped = (text = "true"): unknown => {
  const value = parsed(text);
  return Number.isNaN(value) ? text : value;
};

const nameOf = (name: string): string => name.replaceAll("-", "_");

const schemasOf = (conversions: readonly Conversion[]): Schemas => {
  const found = new Map<string, Schema[]>();
  for (const { options } of conversions) {
    const { properties } = options;
    for (const [name, schema] of Object.entries(typeof properties === "object" && properties ? properties : {})) {
      found.set(name, [...(found.get(name) ?? []), schema as Schema]);
    }
  }
  return found;
};

const typed = (name: string, text: string | undefined, schemas: Schemas): unknown => {
  const [schema, ...others] = schemas.get(nameOf(name)) ?? [];
  if (schema === undefined) {
    const known = [...schemas.keys()].sort().join(", ") || "none";
    throw new UsageError(`Unknown option "${name}" for this conversion. Available options: ${known}.`);
  }
  if (text === undefined && schema.type !== "boolean") {
    throw new UsageError(`Option "${name}" requires a value.`);
  }
  const value = readers[schema.type ?? ""]?.(text ?? "true") ?? alternative(schema, text);
  if ([schema, ...others].every((each) => !accepts(each, value))) {
    throw new UsageError(`Invalid value "${text}" for option "${name}": must be ${allowedBy(schema)}.`);
  }
  return value;
};

/** @returns the number that a text is, if numbers are an alternative; otherwise the text */
const alternative = ({ anyOf = [] }: Schema, text: string | undefined): unknown => {
  const value = number(text ?? "");
  return anyOf.some(({ type }) => type === "number") && !Number.isNaN(value) ? value : text;
};

/** The service checks the rest of the schema. */
const accepts = ({ type, minimum, maximum, enum: choices }: Schema, value: unknown): boolean => {
  if (typeof value === "number") {
    const isInRange = value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
    return isInRange && (type !== "integer" || Number.isInteger(value));
  }
  return choices === undefined || choices.includes(value);
};

const allowedBy = ({ type, minimum, maximum, enum: choices }: Schema): string => {
  if (choices !== undefined) {
    return `one of ${choices.join(", ")}`;
  }
  const kind = kinds[type ?? ""] ?? `of type ${type}`;
  if (minimum !== undefined && maximum !== undefined) {
    return `${kind} from ${minimum} to ${maximum}`;
  }
  if (minimum !== undefined || maximum !== undefined) {
    return minimum === undefined ? `${kind} of at most ${maximum}` : `${kind} of at least ${minimum}`;
  }
  return kind;
};

const kinds: Readonly<Record<string, string>> = {
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
};

const number = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  integer: number,
  number,
  boolean: (text) => (text === "true" ? true : text === "false" ? false : Number.NaN),
  array: (text) => (text.startsWith("[") ? parsed(text) : text.split(",")),
  object: (text) => parsed(text),
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return Number.NaN;
  }
};
