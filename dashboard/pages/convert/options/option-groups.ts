import type { OptionField } from "./schema-form.ts";

/** Groups of the options of a long form. */

/** Options of a form from which it has groups. */
export const GROUPED_MIN = 13;

interface OptionGroup {
  readonly id: string;
  readonly fields: readonly OptionField[];
}

/** @returns the fields by the group that their schema names, in the order of the first field of each group */
export const groupFields = (fields: readonly OptionField[]): readonly OptionGroup[] =>
  [...Map.groupBy(fields, ({ schema }) => schema["x-group"] ?? "other")].map(([id, members]) => ({
    id,
    fields: members,
  }));
