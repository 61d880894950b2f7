import {
  $ZodArray,
  $ZodBoolean,
  type $ZodCheck,
  $ZodCheckGreaterThan,
  $ZodCheckLessThan,
  $ZodCheckMaxLength,
  $ZodCheckMinLength,
  $ZodEnum,
  type $ZodErrorMap,
  $ZodISODateTime,
  $ZodLiteral,
  $ZodNullable,
  $ZodNumber,
  $ZodNumberFormat,
  $ZodOptional,
  $ZodString,
  type $ZodType,
  $ZodUnion,
  $ZodURL,
} from "zod/v4/core";

/**
 * What a schema accepts, in words: the second half of "`quality` must be an integer from 1 to 100." A check with a
 * message replaces the generated words: its message is such a noun phrase ("a color such as `#ff8000`").
 */
export const allowedValues = (schema: $ZodType): string => {
  const inner = unwrapped(schema);
  const words = phraseOf(inner) ?? wordsOf(inner);
  return acceptsNull(schema) ? `${words}, or null` : words;
};

/** @returns the schema without `optional` and `nullable` */
export const unwrapped = (schema: $ZodType): $ZodType =>
  schema instanceof $ZodOptional || schema instanceof $ZodNullable ? unwrapped(schema._zod.def.innerType) : schema;

/** @returns the choices, if the schema is a list of them */
export const choicesOf = (schema: $ZodType): readonly (string | number)[] => {
  const inner = unwrapped(schema);
  const isList = inner instanceof $ZodEnum || inner instanceof $ZodLiteral;
  const values = isList ? [...inner._zod.values] : [];
  return values.filter((value) => typeof value === "string" || typeof value === "number");
};

const acceptsNull = (schema: $ZodType): boolean =>
  schema instanceof $ZodNullable || (schema instanceof $ZodOptional && acceptsNull(schema._zod.def.innerType));

const checksOf = (schema: $ZodType): readonly $ZodCheck<never>[] => schema._zod.def.checks ?? [];

/** @returns the message of a check that is a noun phrase, with the maximum length; a sentence is for one issue only */
const phraseOf = (schema: $ZodType): string | undefined => {
  const phrase = checksOf(schema)
    .map((check) => messageOf(check._zod.def.error))
    .find((message) => message !== undefined && !/[.?]$/.test(message));
  const charactersMax = schema instanceof $ZodString ? maximumOf(schema) : undefined;
  return phrase && (charactersMax === undefined ? phrase : `${phrase}, at most ${charactersMax} characters`);
};

const messageOf = (error: $ZodErrorMap<never> | undefined): string | undefined => {
  const message = (error as $ZodErrorMap | undefined)?.({ code: "custom", input: undefined, path: [] });
  return (typeof message === "string" ? message : message?.message) ?? undefined;
};

const wordsOf = (schema: $ZodType): string => {
  if (schema instanceof $ZodNumber) {
    const isInteger = schema instanceof $ZodNumberFormat;
    return `${isInteger ? "an integer" : "a number"}${rangeOf(schema)}`;
  }
  if (schema instanceof $ZodString) {
    return textWords(schema);
  }
  if (schema instanceof $ZodBoolean) {
    return "`true` or `false`";
  }
  if (schema instanceof $ZodArray) {
    return `an array${lengthOf(schema, "item")}`;
  }
  if (schema instanceof $ZodUnion) {
    return schema._zod.def.options.map(allowedValues).join(" or ");
  }
  const choices = choicesOf(schema);
  return choices.length > 0 ? listOf(choices) : "an object";
};

const textWords = (schema: $ZodString): string => {
  if (schema instanceof $ZodISODateTime) {
    return "a date and time with a time zone, such as `2026-12-31T12:00:00Z`";
  }
  const kind = schema instanceof $ZodURL ? "an http or https URL" : "a string";
  return `${kind}${lengthOf(schema, "character")}`;
};

/** @returns "`a`", "`a` or `b`", or "one of `a`, `b`, `c`"; a tab is written as `\t` */
const listOf = (choices: readonly (string | number)[]): string => {
  const shown = choices.map((choice) => `\`${String(choice).replaceAll("\t", "\\t")}\``);
  return shown.length > 2 ? `one of ${shown.join(", ")}` : shown.join(" or ");
};

const rangeOf = (schema: $ZodType): string => {
  const checks = checksOf(schema);
  const from = checks.find((check) => check instanceof $ZodCheckGreaterThan)?._zod.def.value;
  const to = checks.find((check) => check instanceof $ZodCheckLessThan)?._zod.def.value;
  return from === undefined || to === undefined ? sideOf(from, to) : ` from ${from} to ${to}`;
};

const lengthOf = (schema: $ZodType, unit: string): string => {
  const checks = checksOf(schema);
  const from = checks.find((check) => check instanceof $ZodCheckMinLength)?._zod.def.minimum;
  const to = maximumOf(schema);
  const length = from === undefined || to === undefined ? sideOf(from, to) : ` of ${from} to ${to}`;
  return length && `${length} ${unit}s`;
};

const maximumOf = (schema: $ZodType): number | undefined =>
  checksOf(schema).find((check) => check instanceof $ZodCheckMaxLength)?._zod.def.maximum;

const sideOf = (from: unknown, to: unknown): string =>
  from === undefined ? (to === undefined ? "" : ` of at most ${to}`) : ` of at least ${from}`;
