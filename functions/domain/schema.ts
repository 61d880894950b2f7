import { $ZodArray, type $ZodError, type $ZodIssue, $ZodObject, $ZodRecord, type $ZodType } from "zod/v4/core";
import { allowedValues, choicesOf, unwrapped } from "./allowed-values.ts";
import type { FieldError } from "./errors.ts";
import { suggestion } from "./nearest-name.ts";

/** A rejected input, the schema that it does not match, and the errors that the schema reported. */
interface Rejected {
  readonly schema: $ZodType;
  readonly input: unknown;
  readonly error: $ZodError;
}

/** Where the input is in the request, and what messages call it. */
interface Place {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** The input itself, at the start of a sentence. */
  readonly name: string;
  readonly member: "field" | "option";
  /** Names that exist, but not for this input. */
  readonly others?: readonly string[];
}

const BODY: Place = { pointer: "", name: "The request body", member: "field" };

/** Characters of an unknown name that a message repeats. */
const SHOWN_CHARACTERS_MAX = 50;
/** Errors of a request that are reported: a body of 64 kB can have thousands, and each has a message to make. */
export const FIELD_ERRORS_MAX = 50;
/** Errors that the message for the entire request repeats. */
const SUMMARY_ERRORS_MAX = 3;

/** @returns the first `FIELD_ERRORS_MAX` errors: each names its field, what is allowed, and the nearest name or choice */
export const fieldErrors = ({ schema, input, error }: Rejected, place = BODY): FieldError[] => {
  const errors = error.issues.slice(0, FIELD_ERRORS_MAX).flatMap((issue) => {
    const pointer = place.pointer + issue.path.map((part) => `/${escapePointer(String(part))}`).join("");
    if (issue.code === "unrecognized_keys") {
      const at = schemaAt(schema, issue.path);
      const known = at instanceof $ZodObject ? Object.keys(at._zod.def.shape) : [];
      return issue.keys.slice(0, FIELD_ERRORS_MAX).map((key) => ({
        pointer: `${pointer}/${escapePointer(key)}`,
        code: "unknown",
        detail: unknownName(place, key, known),
      }));
    }
    return [{ pointer, code: issue.code ?? "invalid", detail: detailOf(issue, { schema, input, place }) }];
  });
  return errors.slice(0, FIELD_ERRORS_MAX);
};

/** @returns the first errors as one text */
export const summaryOf = (errors: readonly FieldError[]): string => {
  const more = errors.length - SUMMARY_ERRORS_MAX;
  const first = errors.slice(0, SUMMARY_ERRORS_MAX).map(({ detail }) => detail);
  return [...first, ...(more > 0 ? [`Further errors: ${more}.`] : [])].join(" ");
};

const unknownName = ({ member, others = [] }: Place, name: string, known: readonly string[]): string => {
  if (others.includes(name)) {
    return `\`${name}\` is not supported for this conversion.`;
  }
  const list = member === "option" || known.length === 0 ? "" : ` Supported fields: ${known.join(", ")}.`;
  return `Unknown ${member} "${name.slice(0, SHOWN_CHARACTERS_MAX)}".${suggestion(name, known) || list}`;
};

const detailOf = (issue: $ZodIssue, { schema, input, place }: Omit<Rejected, "error"> & { place: Place }) => {
  if (issue.code === "custom" && /[.?]$/.test(issue.message)) {
    return issue.message;
  }
  const owner = issue.code === "invalid_key" ? schemaAt(schema, issue.path.slice(0, -1)) : undefined;
  const record = owner && unwrapped(owner);
  if (record instanceof $ZodRecord) {
    return `Each name in ${nameOf(issue.path.slice(0, -1), place)} must be ${allowedValues(record._zod.def.keyType)}.`;
  }
  const [at, value, name] = [schemaAt(schema, issue.path), valueAt(input, issue.path), nameOf(issue.path, place)];
  if (at === undefined) {
    return `${name} is not valid.`;
  }
  if (value === undefined) {
    return `${name} is required. It must be ${allowedValues(at)}.`;
  }
  const near = typeof value === "string" ? suggestion(value, choicesOf(at).map(String)) : "";
  return `${name} must be ${allowedValues(at)}.${near}`;
};

type Path = readonly PropertyKey[];

const schemaAt = (schema: $ZodType, [part, ...rest]: Path): $ZodType | undefined => {
  const inner = unwrapped(schema);
  if (part === undefined) {
    return inner instanceof $ZodObject ? inner : schema;
  }
  const next = memberOf(inner, String(part));
  return next && schemaAt(next, rest);
};

const memberOf = (schema: $ZodType, name: string): $ZodType | undefined => {
  if (schema instanceof $ZodObject) {
    const { shape } = schema._zod.def;
    return Object.hasOwn(shape, name) ? shape[name] : undefined;
  }
  if (schema instanceof $ZodArray) {
    return schema._zod.def.element;
  }
  return schema instanceof $ZodRecord ? schema._zod.def.valueType : undefined;
};

const valueAt = (input: unknown, [part, ...rest]: Path): unknown => {
  if (part === undefined) {
    return input;
  }
  const isOwner = typeof input === "object" && input !== null;
  return isOwner ? valueAt(Object.getOwnPropertyDescriptor(input, part)?.value, rest) : undefined;
};

/** @returns `metadata.order` or `upload_ids[3]`, in backticks */
const nameOf = (path: Path, { name }: Place): string => {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  const text = parts
    .join("")
    .replace(/^\./, "")
    .slice(0, 2 * SHOWN_CHARACTERS_MAX);
  return path.length === 0 ? name : `\`${text}\``;
};

const escapePointer = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");
