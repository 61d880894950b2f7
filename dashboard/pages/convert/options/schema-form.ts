/**
 * The options of a conversion as a form, built from the JSON Schema that the service lists for it. Form values are text;
 * only options that differ from their defaults are sent.
 */

/** The part of JSON Schema (2020-12) that is used: the service's schemas are flat. */
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
  /** The group of the option in a long form. */
  readonly "x-group"?: string;
  readonly title?: string;
  readonly description?: string;
}

/** One field of the form. */
export interface OptionField {
  readonly name: string;
  readonly kind:
    | "check"
    | "checks"
    | "color"
    | "json"
    | "lines"
    | "number"
    | "password"
    | "range"
    | "select"
    | "text"
    | "upload";
  /** The schema's title; without one, the option's name. */
  readonly title: string;
  readonly description: string;
  /** For `select` and `checks`; a `select` of a boolean has `true` and `false`. */
  readonly choices: readonly unknown[];
  /** For `check`: the default. */
  readonly isOnByDefault: boolean;
  readonly schema: OptionSchema;
}

/** The form's text by field name; missing fields have their default. Selected values of `checks` are separated by newlines. */
export type FormValues = Readonly<Record<string, string>>;

/** Why a value is invalid, for the error message. */
export interface FieldError {
  readonly reason: "format" | "integer" | "length" | "number" | "range";
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

export type OptionValues = Readonly<Record<string, unknown>>;

/** @returns the form's fields; options of an unknown type become text fields */
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
    choices: schema.enum ?? schema.items?.enum ?? (schema.type === "boolean" ? [true, false] : []),
    isOnByDefault: schema.default === true,
    schema,
  };
};

const kindOf = (name: string, schema: OptionSchema): OptionField["kind"] => {
  const { type, enum: choices, items } = schema;
  if (choices !== undefined) {
    return "select";
  }
  if (type === "array" && items?.enum !== undefined) {
    return "checks";
  }
  if (type === "boolean") {
    // Without a fixed default, a checkbox could not tell "no" from the default.
    return schema.default === undefined ? "select" : "check";
  }
  if (type === "integer" || type === "number") {
    return isRange(schema) ? "range" : "number";
  }
  if (schema.pattern?.includes("#(?:[0-9a-f]")) {
    return "color";
  }
  if (type === "array" || type === "object") {
    return "json";
  }
  if (name.endsWith("_upload_id")) {
    return "upload";
  }
  if (name.endsWith("password")) {
    return "password";
  }
  return schema.pattern === undefined && (schema.maxLength ?? 0) > LINE_CHARACTERS_MAX ? "lines" : "text";
};

/** Text that can be longer has several lines: headers, templates. */
const LINE_CHARACTERS_MAX = 1_000;

/** Most steps of a slider: with more, it is hard to set. */
const SLIDER_STEPS_MAX = 600;

/** A range with a default gets a slider: without one, the slider's initial position would be wrong. */
const isRange = (schema: OptionSchema): boolean => {
  const { minimum, maximum } = schema;
  return (
    typeof schema.default === "number" &&
    minimum !== undefined &&
    maximum !== undefined &&
    (maximum - minimum) / stepOf(schema) <= SLIDER_STEPS_MAX
  );
};

/** @returns the step of a slider: hundredths for fractions of a small range */
export const stepOf = ({ type, minimum = 0, maximum = 0 }: OptionSchema): number =>
  type === "integer" || maximum - minimum > HUNDREDTHS_MAX ? 1 : 0.01;

const HUNDREDTHS_MAX = 5;

/** @returns `max_width` as `Max width` */
const humanName = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");

/** @returns the options to send, and the errors by field name */
export const valuesOf = (
  fields: readonly OptionField[],
  formValues: FormValues,
): { readonly values: OptionValues; readonly errors: ReadonlyMap<string, FieldError> } => {
  const values: Record<string, unknown> = {};
  const errors = new Map<string, FieldError>();
  for (const field of fields) {
    const read = readField(field, formValues[field.name] ?? "");
    if (read.error !== undefined) {
      errors.set(field.name, {
        reason: read.error,
        minimum: field.schema.minimum,
        maximum: field.schema.maximum ?? field.schema.maxLength,
      });
    } else if (read.value !== undefined) {
      values[field.name] = read.value;
    }
  }
  return { values, errors };
};

type Read = { readonly value?: unknown; readonly error?: FieldError["reason"] };

const readField = (field: OptionField, text: string): Read => {
  if (text === "") {
    return {};
  }
  switch (field.kind) {
    case "check":
      return (text === "true") === field.isOnByDefault ? {} : { value: text === "true" };
    case "select":
      return { value: field.choices.find((choice) => String(choice) === text) };
    case "checks":
      return { value: field.choices.filter((choice) => text.split("\n").includes(String(choice))) };
    case "json":
      return readJson(text);
    case "number":
    case "range":
      return readNumber(field.schema, text);
    default:
      return readText(field.schema, text);
  }
};

const readJson = (text: string): Read => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: "format" };
  }
};

/** Also accepts a decimal comma. */
const readNumber = ({ type, minimum, maximum }: OptionSchema, text: string): Read => {
  const value = Number(text.trim().replace(",", "."));
  if (!Number.isFinite(value)) {
    return { error: "number" };
  }
  if (type === "integer" && !Number.isInteger(value)) {
    return { error: "integer" };
  }
  const fits = value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
  return fits ? { value } : { error: "range" };
};

/** Text that is all digits is sent as a number if the option also accepts one: a sheet's number, a time in seconds. */
const readText = (schema: OptionSchema, text: string): Read => {
  const { anyOf = [schema] } = schema;
  const number = anyOf.find(({ type }) => type === "number" || type === "integer");
  if (number !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim())) {
    return readNumber(number, text);
  }
  const { maxLength, pattern } = anyOf.find(({ type }) => type === "string") ?? {};
  if (maxLength !== undefined && text.length > maxLength) {
    return { error: "length" };
  }
  return pattern === undefined || new RegExp(pattern, "i").test(text) ? { value: text } : { error: "format" };
};

/** @returns the form values for options, so that they can be edited */
export const formValuesOf = (fields: readonly OptionField[], values: OptionValues): FormValues =>
  Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = values[name];
      return value === undefined ? [] : [[name, kind === "json" ? JSON.stringify(value) : textOf(value)]];
    }),
  );

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join("\n") : String(value));

/** @returns the service's errors in the options, by field name */
export const serverErrors = (
  errors: readonly { readonly pointer: string; readonly detail: string }[],
): ReadonlyMap<string, string> =>
  new Map(
    errors.flatMap(({ pointer, detail }): [string, string][] => {
      const [, name] = /^\/options\/([^/]+)/.exec(pointer) ?? [];
      return name === undefined ? [] : [[name.replaceAll("~1", "/").replaceAll("~0", "~"), detail]];
    }),
  );
