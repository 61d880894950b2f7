import * as z from "zod/mini";
import { RequestError } from "./errors.ts";
import { archiveOptions } from "./options/archives.ts";
import { markupOptions } from "./options/markup.ts";
import { mediaOptions } from "./options/media.ts";
import { officeOptions } from "./options/office.ts";
import { pageOptions } from "./options/pages.ts";
import { pictureOptions } from "./options/pictures.ts";
import { printOptions } from "./options/prints.ts";
import { subtitleOptions } from "./options/subtitles.ts";
import { tableOptions } from "./options/tables.ts";
import { fieldErrors } from "./schema.ts";

/** One vocabulary of options for all conversions. A conversion names those that it honours; others are refused. */

const optionSchemas = {
  ...pictureOptions,
  ...pageOptions,
  ...tableOptions,
  ...archiveOptions,
  ...subtitleOptions,
  ...markupOptions,
  ...officeOptions,
  ...printOptions,
  ...mediaOptions,
} as const;

export type OptionName = keyof typeof optionSchemas;

/** The options of a job, checked. */
export type Options = Readonly<{ [Name in OptionName]?: z.infer<(typeof optionSchemas)[Name]> | undefined }>;

/** Options that tell how the result is written, and mean nothing for what only stands in the middle of a route. */
export const writingOptions: ReadonlySet<OptionName> = new Set(["indent", "level", "pdf_a", "delimiter", "markdown"]);

/** Options of how a text is spelt: no reason to go another way than the straight one. */
export const syntaxOptions: ReadonlySet<OptionName> = new Set(["encoding", "header", ...writingOptions]);

/** Options that tell how the source is read. A `delimiter` is for what is written, where the source has none. */
export const readingOptions: ReadonlySet<OptionName> = new Set([
  "encoding",
  "password",
  "pages",
  "header",
  "sheet",
  "table",
  "delimiter",
  "markdown",
]);

/**
 * @param text what somebody typed
 * @returns the value that the option understands by it: `3` is a number to `quality`, and a text to `pages`
 */
export const optionFromText = (name: string, text: string): unknown => {
  const schema: z.ZodMiniType | undefined = optionSchemas[name as OptionName];
  const values: unknown[] = [text, ...(/^-?\d+(?:\.\d+)?$/.test(text) ? [Number(text)] : [])];
  values.push(...(text === "true" || text === "" ? [true] : text === "false" ? [false] : []));
  return values.find((value) => schema?.safeParse(value).success) ?? text;
};

/** @returns the options as they may be shown: without what is secret */
export const shownOptions = ({ password, ...options }: Options): Options => options;

/** @returns the schema of the options that a route honours; anything else is refused by it */
export const optionsSchema = (names: readonly OptionName[]) => {
  const key = names.join();
  const schema =
    made.get(key) ?? z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(optionSchemas[name])])));
  made.set(key, schema);
  return schema;
};

/** Making a schema costs ten times what checking does; the routes have a handful of different sets of names. */
const made = new Map<string, z.ZodMiniObject>();

/**
 * @returns the options, when they all fit
 * @throws RequestError `invalid_options`, with a pointer to each one that does not
 */
export const checkOptions = (names: readonly OptionName[], options: unknown): Options => {
  const result = optionsSchema(names).safeParse(options ?? {});
  if (!result.success) {
    const known = names.length === 0 ? "This conversion takes no options." : `It takes: ${names.join(", ")}.`;
    throw new RequestError("invalid_options", `The options do not fit this conversion. ${known}`, {
      errors: fieldErrors(result.error, "/options"),
    });
  }
  return result.data as Options;
};
