/** An option of a conversion as a table row, built from its JSON Schema. */
export interface OptionRow {
  readonly name: string;
  readonly kind: "boolean" | "integer" | "number" | "text";
  /** Allowed words; empty if any value is allowed. */
  readonly words: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** The default as text; undefined if it depends on the source. */
  readonly initial: string | undefined;
  readonly description: string;
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** @param schema the JSON Schema (2020-12) of a conversion's options, as the service lists it */
export const optionRows = (schema: Readonly<Record<string, unknown>>): readonly OptionRow[] => {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, Property>> };
  return Object.entries(properties ?? {}).map(([name, property]) => rowOf(name, property));
};

const rowOf = (name: string, property: Property): OptionRow => {
  const variants = property.anyOf ?? [property];
  const range = variants.find(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined);
  return {
    name,
    kind: kindOf(variants),
    words: variants.flatMap((variant) => variant.enum ?? []).map(wordOf),
    min: range?.minimum,
    max: range?.maximum,
    initial: property.default === undefined ? undefined : wordOf(property.default),
    description: property.description ?? "",
  };
};

const kindOf = (variants: readonly Property[]): OptionRow["kind"] => {
  const types = variants.map(({ type }) => type);
  // An option that accepts text accepts anything that is typed.
  const kinds = { string: "text", number: "number", integer: "integer", boolean: "boolean" } as const;
  const type = (["string", "number", "integer", "boolean"] as const).find((one) => types.includes(one));
  return kinds[type ?? "string"];
};

/** @returns a word escaped as in a JSON string, so that a tab is visible */
const wordOf = (word: unknown): string => (typeof word === "string" ? JSON.stringify(word).slice(1, -1) : String(word));
