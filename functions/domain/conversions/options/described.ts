import * as z from "zod/mini";

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

export const hasRole = (schema: z.ZodMiniType, role: Role): boolean => rolesOf.get(schema)?.includes(role) === true;
