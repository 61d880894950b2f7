import * as z from "zod/mini";
import type { SupportedOptions } from "./option-rules.ts";
import { optionsSchema } from "./options.ts";

const known = new WeakMap<z.ZodMiniObject, Record<string, unknown>>();

/**
 * @returns the JSON Schema (draft 2020-12) of a conversion's options with its choices, ranges and defaults, created once
 * per set of options
 */
export const optionsJsonSchema = (supported: SupportedOptions): Record<string, unknown> => {
  const schema = optionsSchema(supported);
  const json = known.get(schema) ?? z.toJSONSchema(schema, { io: "input" });
  known.set(schema, json);
  return json;
};
