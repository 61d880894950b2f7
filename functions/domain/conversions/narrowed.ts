import * as z from "zod/mini";
import type { OptionRule } from "./option-rules.ts";

/**
 * @returns the schema of an option, restricted to what a conversion allows, and with its default; the schema itself if
 * the rule does neither
 */
export const narrowed = (schema: z.ZodMiniType, rule: OptionRule = {}): z.ZodMiniType => {
  if (rule.only === undefined && rule.min === undefined && rule.max === undefined && rule.default === undefined) {
    return schema;
  }
  const result = restricted(schema, rule);
  const meta = z.globalRegistry.get(schema) ?? {};
  z.globalRegistry.add(result, { ...meta, ...(rule.default !== undefined && { default: rule.default }) });
  return result;
};

/** @returns a text that rules with the same schema share */
export const narrowingOf = ({ only, min, max, default: value }: OptionRule = {}): string =>
  JSON.stringify([only, min, max, value]);

const restricted = (schema: z.ZodMiniType, { only, min, max }: OptionRule): z.ZodMiniType => {
  if (schema instanceof z.ZodMiniEnum) {
    return z.enum(schema.options.map(String).filter((choice) => only?.includes(choice) !== false));
  }
  if (schema instanceof z.ZodMiniNumber && (min !== undefined || max !== undefined)) {
    const { minimum = 0, maximum = 0 } = schema._zod.bag;
    const type = schema instanceof z.ZodMiniNumberFormat ? z.int() : z.number();
    return type.check(z.minimum(min ?? minimum), z.maximum(max ?? maximum));
  }
  return z.clone(schema);
};
