import * as z from "zod/mini";
import type { FormatId } from "../../formats/formats.ts";

/**
 * The route step that an option applies to. `reading`: the first step, which reads the source. `writing`: the last
 * step, which writes the result. With both roles, it applies to writing if the source does not support it. Other
 * options apply to the last step that supports them. `spelling` only affects how text is encoded, which does not
 * justify a detour.
 */
export type Role = "reading" | "writing" | "spelling";

const rolesOf = new WeakMap<z.ZodMiniType, readonly Role[]>();

/** @returns the schema, with its description in the API, and its roles in a route */
export const described = <S extends z.ZodMiniType>(schema: S, description: string, roles: readonly Role[] = []): S => {
  z.globalRegistry.add(schema, { description });
  rolesOf.set(schema, roles);
  return schema;
};

/** @returns the schema, with the value that applies without the option, in every conversion that supports it */
export const withDefault = <S extends z.ZodMiniType>(
  schema: S,
  value: z.output<S>,
  description: string,
  roles: readonly Role[] = [],
): S => {
  described(schema, description, roles);
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), default: value });
  return schema;
};

const formatsOf = new WeakMap<z.ZodMiniType, readonly FormatId[]>();

/** @returns the schema of an option whose value is the ID of an upload that has one of the formats */
export const uploadOption = (
  formats: readonly FormatId[],
  description: string,
  roles: readonly Role[] = [],
): z.ZodMiniString => {
  const schema = described(z.string().check(z.minLength(1), z.maxLength(64)), description, roles);
  formatsOf.set(schema, formats);
  return schema;
};

/** @returns the formats of the upload that is the value of the option; undefined if its value is not an upload */
export const uploadFormatsOf = (schema: z.ZodMiniType): readonly FormatId[] | undefined => formatsOf.get(schema);

export const hasRole = (schema: z.ZodMiniType, role: Role): boolean => rolesOf.get(schema)?.includes(role) === true;
