import * as z from "zod/mini";
import { RequestError } from "../errors.ts";
import type { FormatId } from "../formats/formats.ts";
import { fieldErrors, summaryOf } from "../schema.ts";
import { currentChoice, currentName, formerNames } from "./former-names.ts";
import { narrowed, narrowingOf } from "./narrowed.ts";
import { conflictsOf } from "./option-checks.ts";
import type { SupportedOptions } from "./option-rules.ts";
import { archiveOptions } from "./options/archives.ts";
import { hasRole, type Role, uploadFormatsOf } from "./options/described.ts";
import { groupOf } from "./options/groups.ts";
import { markupOptions } from "./options/markup.ts";
import { mediaOptions } from "./options/media.ts";
import { officeOptions } from "./options/office.ts";
import { pageOptions } from "./options/pages.ts";
import { paperDataOptions } from "./options/paper-data.ts";
import { paperOptions } from "./options/papers.ts";
import { pictureChangeOptions } from "./options/picture-changes.ts";
import { pictureOptions } from "./options/pictures.ts";
import { printOptions } from "./options/prints.ts";
import { stampOptions } from "./options/stamps.ts";
import { subtitleOptions } from "./options/subtitles.ts";
import { tableOptions } from "./options/tables.ts";
import { watermarkOptions } from "./options/watermarks.ts";
import { webOptions } from "./options/web.ts";

/** The options of all conversions. A conversion names those that it supports; others are rejected. */

const optionSchemas = {
  ...pictureOptions,
  ...pictureChangeOptions,
  ...watermarkOptions,
  ...pageOptions,
  ...paperOptions,
  ...stampOptions,
  ...paperDataOptions,
  ...tableOptions,
  ...archiveOptions,
  ...subtitleOptions,
  ...watermarkOptions,
  ...markupOptions,
  ...officeOptions,
  ...printOptions,
  ...mediaOptions,
  ...webOptions,
} as const;

export type OptionName = keyof typeof optionSchemas;

/** The validated options of a job. */
export type Options = Readonly<{ [Name in OptionName]?: z.infer<(typeof optionSchemas)[Name]> | undefined }>;

export const optionNames = Object.keys(optionSchemas) as OptionName[];

for (const name of optionNames) {
  const schema: z.ZodMiniType = optionSchemas[name];
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), "x-group": groupOf(name) });
}

const withRole = (...roles: readonly Role[]): ReadonlySet<OptionName> =>
  new Set(optionNames.filter((name) => roles.some((role) => hasRole(optionSchemas[name], role))));

/** The options of each role, as declared by each option ({@link Role}). */
export const readingOptions = withRole("reading");
export const writingOptions = withRole("writing");
export const syntaxOptions = withRole("spelling", "writing");

/** The options whose value is the ID of an upload, and the formats that it can have. */
export const uploadOptions: ReadonlyMap<string, readonly FormatId[]> = new Map(
  optionNames.flatMap((name) => {
    const formats = uploadFormatsOf(optionSchemas[name]);
    return formats === undefined ? [] : [[name, formats]];
  }),
);

/** @returns whether a conversion can have an option with this name, or had one under this former name */
export const isOptionName = (name: string): boolean =>
  Object.hasOwn(optionSchemas, currentName(formerNames.options, name));

/**
 * @param text user input
 * @returns the value for the option: `3` is a number for `quality`, and a string for `pages`; the text if none is valid
 */
export const optionFromText = (name: string, text: string): unknown => validValue(name, text) ?? text;

/** @returns whether the text is a valid value of the option */
export const isOptionText = (name: string, text: string): boolean => validValue(name, text) !== undefined;

const validValue = (name: string, text: string): unknown => {
  if (!isOptionName(name)) {
    return undefined;
  }
  const current = currentName(formerNames.options, name) as OptionName;
  const schema: z.ZodMiniType = optionSchemas[current];
  const values: unknown[] = [text, ...structureIn(text), ...(/^-?\d+(?:\.\d+)?$/.test(text) ? [Number(text)] : [])];
  const flags = text === "true" || text === "" ? [true] : text === "false" ? [false] : [];
  values.push(...flags, ...flags.map((flag) => currentChoice(current, flag)));
  return values.find((value) => schema.safeParse(value).success);
};

/** @returns the object or the list that a text is as JSON, if any */
const structureIn = (text: string): object[] => {
  try {
    const value: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
};

/** @returns a schema that accepts only the options that a conversion supports, in its ranges */
export const optionsSchema = (supported: SupportedOptions): z.ZodMiniObject => {
  const known = schemas.get(supported);
  if (known !== undefined) {
    return known;
  }
  const { options, rules = {} } = supported;
  const key = options.map((name) => `${name}${narrowingOf(rules[name])}`).join();
  const schema = byContent.get(key) ?? newSchema(supported);
  byContent.set(key, schema);
  schemas.set(supported, schema);
  return schema;
};

/**
 * Creating a schema costs ten times as much as validating, and thousands of pairs have about a hundred different
 * schemas.
 */
const schemas = new WeakMap<SupportedOptions, z.ZodMiniObject>();
const byContent = new Map<string, z.ZodMiniObject>();

const newSchema = ({ options, rules = {} }: SupportedOptions): z.ZodMiniObject =>
  z.strictObject(
    Object.fromEntries(options.map((name) => [name, z.optional(narrowed(optionSchemas[name], rules[name]))])),
  );

/**
 * @returns the options, if all are valid
 * @throws RequestError `invalid_options`, with a pointer to each invalid option
 */
export const checkOptions = (supported: SupportedOptions, options: unknown): Options => {
  if (options === undefined || options === null) {
    return {};
  }
  const [schema, input] = [optionsSchema(supported), options];
  const result = schema.safeParse(input);
  const place = { pointer: "/options", name: "`options`", member: "option", others: optionNames } as const;
  const errors = result.success
    ? conflictsOf(supported, result.data)
    : fieldErrors({ schema, input, error: result.error }, place);
  if (errors.length > 0) {
    const names = supported.options;
    const list = names.length === 0 ? "It has no options." : `Supported options: ${names.join(", ")}.`;
    const hint = errors.some(({ code }) => code === "unknown") ? ` ${list}` : "";
    throw new RequestError("invalid_options", `Invalid options for this conversion. ${summaryOf(errors)}${hint}`, {
      errors,
    });
  }
  return result.data as Options;
};
