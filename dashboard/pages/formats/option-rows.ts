/** An option of a conversion, as a row of a table: made of its JSON Schema. */
export interface OptionRow {
  readonly name: string;
  readonly kind: "boolean" | "integer" | "number" | "text";
  /** Words that it may be; empty where any will do. */
  readonly words: readonly string[];
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly description: string;
}

interface Property {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** @param schema the JSON Schema (2020-12) of a conversion's options, as the service lists it */
export const optionRows = (schema: Readonly<Record<string, unknown>>): readonly OptionRow[] => {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, Property>> };
  return Object.entries(properties ?? {}).map(([name, property]) => rowOf(name, property));
};

const rowOf = (name: string, property: Property): OptionRow => {
  const ways = property.anyOf ?? [property];
  const range = ways.find(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined);
  return {
    name,
    kind: kindOf(ways),
    words: ways.flatMap((way) => way.enum ?? []).map(wordOf),
    least: range?.minimum,
    most: range?.maximum,
    description: property.description ?? "",
  };
};

const kindOf = (ways: readonly Property[]): OptionRow["kind"] => {
  const types = ways.map(({ type }) => type);
  // What may be a text may be all that is typed.
  const kinds = { string: "text", number: "number", integer: "integer", boolean: "boolean" } as const;
  const type = (["string", "number", "integer", "boolean"] as const).find((one) => types.includes(one));
  return kinds[type ?? "string"];
};

/** @returns a word as it is written in JSON's strings, so that a tab can be seen */
const wordOf = (word: unknown): string => (typeof word === "string" ? JSON.stringify(word).slice(1, -1) : String(word));
