import * as z from "zod/mini";
import { type OptionName, optionsSchema } from "./options.ts";

const known = new Map<string, Record<string, unknown>>();

/** @returns the JSON Schema (draft 2020-12) of a conversion's options, created once per set of names */
export const optionsJsonSchema = (names: readonly OptionName[]): Record<string, unknown> => {
  const key = names.join();
  const schema = known.get(key) ?? z.toJSONSchema(optionsSchema(names), { io: "input" });
  known.set(key, schema);
  return schema;
};
