import * as z from "zod/mini";

/** @returns the schema, with a sentence for those who read the list of options */
export const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description });
  return schema;
};
