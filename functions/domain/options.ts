import * as z from "zod/mini";
import { RequestError } from "./errors.ts";
import { PICTURE_SIDE_PIXELS_MAX } from "./limits.ts";
import { fieldErrors } from "./schema.ts";

/** One vocabulary of options for all conversions. A conversion names those that it honours; others are refused. */

const side = z.int().check(z.minimum(1), z.maximum(PICTURE_SIDE_PIXELS_MAX));

const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const optionSchemas = {
  quality: described(z.int().check(z.minimum(1), z.maximum(100)), "Quality of a lossy encoding, 1 to 100."),
  lossless: described(z.boolean(), "Encode without loss; `quality` is then without effect."),
  width: described(side, "Width of the result in pixels. With one side given, the other follows the proportions."),
  height: described(side, "Height of the result in pixels."),
  fit: described(
    z.enum(["inside", "outside", "cover", "contain", "fill"]),
    "How the picture meets `width` and `height`: `inside` and `outside` keep the proportions within or around them, " +
      "`cover` crops, `contain` pads with `background`, `fill` stretches. Default `inside`.",
  ),
  background: described(
    z.string().check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i)),
    "Colour behind transparent pixels and of padding: `#rgb`, `#rrggbb` or `#rrggbbaa`; one that is not opaque is " +
      "for padding only. Default: transparent, and white where the target has no transparency.",
  ),
  strip_metadata: described(
    z.boolean(),
    "Leave out EXIF, XMP and location. The colour profile is then applied to the pixels, so colours stay.",
  ),
} as const;

export type OptionName = keyof typeof optionSchemas;

/** The options of a job, checked. */
export type Options = Readonly<{ [Name in OptionName]?: z.infer<(typeof optionSchemas)[Name]> | undefined }>;

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
