/**
 * The options of a conversion as a form, made from the JSON Schema that the service lists for it. What people fill in are
 * texts, as forms have them; what is sent are only the options that differ from what happens without them.
 */

/** What is used of a JSON Schema (2020-12): the service's vocabulary is flat. */
interface OptionSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly OptionSchema[];
  readonly items?: OptionSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly title?: string;
  readonly description?: string;
}

/** One field of the form. */
export interface OptionField {
  readonly name: string;
  readonly kind: "check" | "checks" | "number" | "password" | "select" | "text";
  /** The name as a schema or, where it has none, the option itself says it. */
  readonly title: string;
  readonly description: string;
  /** Of `select` and `checks`. */
  readonly choices: readonly unknown[];
  /** Of `check`: what happens when the option is not sent. */
  readonly usual: boolean;
  readonly schema: OptionSchema;
}

/** What stands in the form, by the name of the field; what is not there is as usual. Chosen ones of `checks` stand in lines. */
export type Filled = Readonly<Record<string, string>>;

/** Why a value does not fit, for a text to be made of it. */
export interface FieldFault {
  readonly reason: "form" | "long" | "number" | "range" | "whole";
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export type OptionValues = Readonly<Record<string, unknown>>;

/** @returns the fields of a form for the options; what the page does not understand is a text */
export const fieldsOf = (schema: unknown): readonly OptionField[] => {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, each]) => (isObject(each) ? [fieldOf(name, each)] : []));
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldOf = (name: string, schema: OptionSchema): OptionField => {
  const description = schema.description ?? "";
  return {
    name,
    kind: kindOf(name, schema),
    title: schema.title ?? humanName(name),
    description,
    choices: schema.enum ?? schema.items?.enum ?? [],
    // The service's schemas tell the default in words.
    usual: schema.default === true || /\bDefault true\b/.test(description),
    schema,
  };
};

const kindOf = (name: string, { type, enum: choices, items }: OptionSchema): OptionField["kind"] => {
  if (choices !== undefined) {
    return "select";
  }
  if (type === "array" && items?.enum !== undefined) {
    return "checks";
  }
  if (type === "boolean") {
    return "check";
  }
  if (type === "integer" || type === "number") {
    return "number";
  }
  return name === "password" ? "password" : "text";
};

/** @returns `max_width` as `Max width` */
const humanName = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");

/** @returns the options to send, and what is wrong by the name of its field */
export const valuesOf = (
  fields: readonly OptionField[],
  filled: Filled,
): { readonly values: OptionValues; readonly faults: ReadonlyMap<string, FieldFault> } => {
  const values: Record<string, unknown> = {};
  const faults = new Map<string, FieldFault>();
  for (const field of fields) {
    const read = readField(field, filled[field.name] ?? "");
    if (read.fault !== undefined) {
      faults.set(field.name, {
        reason: read.fault,
        minimum: field.schema.minimum,
        maximum: field.schema.maximum ?? field.schema.maxLength,
      });
    } else if (read.value !== undefined) {
      values[field.name] = read.value;
    }
  }
  return { values, faults };
};

type Read = { readonly value?: unknown; readonly fault?: FieldFault["reason"] };

const readField = (field: OptionField, text: string): Read => {
  if (text === "") {
    return {};
  }
  switch (field.kind) {
    case "check":
      return (text === "true") === field.usual ? {} : { value: text === "true" };
    case "select":
      return { value: field.choices.find((choice) => String(choice) === text) };
    case "checks":
      return { value: field.choices.filter((choice) => text.split("\n").includes(String(choice))) };
    case "number":
      return readNumber(field.schema, text);
    default:
      return readText(field.schema, text);
  }
};

/** Takes a decimal comma, too. */
const readNumber = ({ type, minimum, maximum }: OptionSchema, text: string): Read => {
  const value = Number(text.trim().replace(",", "."));
  if (!Number.isFinite(value)) {
    return { fault: "number" };
  }
  if (type === "integer" && !Number.isInteger(value)) {
    return { fault: "whole" };
  }
  const fits = value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
  return fits ? { value } : { fault: "range" };
};

/** A text that is all digits is a number, where the option takes one as well: a sheet by its number, a time in seconds. */
const readText = (schema: OptionSchema, text: string): Read => {
  const { anyOf = [schema] } = schema;
  const number = anyOf.find(({ type }) => type === "number" || type === "integer");
  if (number !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim())) {
    return readNumber(number, text);
  }
  const { maxLength, pattern } = anyOf.find(({ type }) => type === "string") ?? {};
  if (maxLength !== undefined && text.length > maxLength) {
    return { fault: "long" };
  }
  return pattern === undefined || new RegExp(pattern, "i").test(text) ? { value: text } : { fault: "form" };
};

/** @returns the form that the options were sent from, so that it can be changed */
export const filledOf = (fields: readonly OptionField[], values: OptionValues): Filled =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = values[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join("\n") : String(value)]];
    }),
  );

/** @returns by the name of its field, what the service found wrong in the options; the rest belongs to the whole form */
export const refusedFields = (
  errors: readonly { readonly pointer: string; readonly detail: string }[],
): ReadonlyMap<string, string> =>
  new Map(
    errors.flatMap(({ pointer, detail }): [string, string][] => {
      const [, name] = /^\/options\/([^/]+)/.exec(pointer) ?? [];
      return name === undefined ? [] : [[name.replaceAll("~1", "/").replaceAll("~0", "~"), detail]];
    }),
  );
