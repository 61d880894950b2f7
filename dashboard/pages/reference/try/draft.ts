import { examplesOf, type OpenapiDocument, type Operation, type Parameter, type Schema } from "../document.ts";
import { withRecentIds } from "./recent-ids.ts";

/** What the reader filled in for a request. */
export interface Draft {
  /** By {@link parameterKey}. Empty ones are not sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The JSON of the body. */
  readonly json: string;
  /** Text fields of a form. Empty ones are not sent. */
  readonly fields: Readonly<Record<string, string>>;
  /** Files of a form by field, or the body itself as `file`. */
  readonly files: Readonly<Record<string, readonly File[]>>;
}

/** A request, to send it or to show it as code. */
export interface PlannedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly type: "file"; readonly file: File | undefined; readonly name: string }
    | { readonly type: "form"; readonly parts: readonly FormPart[] }
    | { readonly type: "json"; readonly text: string }
    | undefined;
  /** Whether the response is a file. */
  readonly hasFile: boolean;
}

export interface FormPart {
  readonly name: string;
  /** The text, or the name of a file. */
  readonly text: string;
  readonly file?: File | undefined;
  readonly isFile: boolean;
}

export const parameterKey = ({ in: place, name }: Pick<Parameter, "in" | "name">): string => `${place} ${name}`;

const FORM = "multipart/form-data";
const JSON_TYPE = "application/json";

/** Fields of an example that would send something elsewhere: only those who want that add them. */
const ELSEWHERE: ReadonlySet<string> = new Set(["webhook_url", "export", "storage"]);

/** Optional fields that most requests have, with values that work for most files. */
const FIELD_DEFAULTS: Readonly<Record<string, string>> = { target_format: "pdf" };

/**
 * @returns the first draft of a request. It can be sent again and again: it has no idempotency key, and IDs of earlier
 * responses replace those of the examples
 */
export const firstDraft = (document: OpenapiDocument, operation: Operation): Draft => ({
  parameters: Object.fromEntries(
    operation.parameters
      .filter(({ required }) => required)
      .map((parameter) => [parameterKey(parameter), String(withRecentIds(parameter.example, "only recent") ?? "")]),
  ),
  json: jsonOf(examplesOf(document, bodyOf(operation, JSON_TYPE))[0]?.value),
  fields: Object.fromEntries(
    formFields(operation)
      .filter(({ isFile, isMain }) => !isFile && isMain)
      .map(({ name }) => [name, FIELD_DEFAULTS[name] ?? ""]),
  ),
  files: {},
});

/** @returns the text of an example as a body; empty without one */
export const jsonOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) {
    return "";
  }
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => !ELSEWHERE.has(name)));
  // A request for a storage consists of what others leave out.
  return JSON.stringify(withRecentIds(Object.keys(own).length < 2 ? value : own), null, 2);
};

const bodyOf = ({ bodies }: Operation, type: string) => bodies.find(([each]) => each === type)?.[1];

/** How the operation takes its body. */
export const bodyKind = (operation: Operation): "file" | "form" | "json" | "none" => {
  if (bodyOf(operation, FORM)) {
    return "form";
  }
  if (operation.bodies.length === 0) {
    return "none";
  }
  return bodyOf(operation, JSON_TYPE) ? "json" : "file";
};

export interface FormField {
  readonly name: string;
  readonly schema: Schema;
  readonly isFile: boolean;
  /** Whether several files can be sent. */
  readonly isList: boolean;
  readonly required: boolean;
  /** Whether it is required, or most requests have it. */
  readonly isMain: boolean;
}

/** @returns the fields of the operation's form */
export const formFields = (operation: Operation): readonly FormField[] => {
  const { properties = {}, required = [] } = bodyOf(operation, FORM)?.schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isFile: schema.format === "binary" || schema.items?.format === "binary",
    isList: schema.type === "array",
    required: required.includes(name),
    isMain: required.includes(name) || Object.hasOwn(FIELD_DEFAULTS, name),
  }));
};

interface Sender {
  /** The origin of the service. */
  readonly origin: string;
  /** Sent as a bearer token. @default none */
  readonly key: string | undefined;
}

/** @returns the request of a draft. Required values that are missing are those of the examples */
export const planned = (operation: Operation, draft: Draft, { origin, key }: Sender): PlannedRequest => {
  const value = (parameter: Parameter): string =>
    draft.parameters[parameterKey(parameter)]?.trim() || (parameter.required ? String(parameter.example) : "");
  const filled = operation.parameters.map((parameter) => ({ ...parameter, value: value(parameter) }));
  const path = filled
    .filter((each) => each.in === "path")
    .reduce((text, each) => text.replace(`{${each.name}}`, encodeURIComponent(each.value)), operation.path);
  const query = filled
    .filter((each) => each.in === "query" && each.value !== "")
    .map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(each.value)}`);
  const headers = filled.filter((each) => each.in === "header" && each.value !== "");
  const body = bodyFor(operation, draft);
  return {
    method: operation.method,
    url: `${origin}${path}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    headers: [
      ...(key !== undefined && operation.access === "key" ? [["Authorization", `Bearer ${key}`] as const] : []),
      ...headers.map((each) => [each.name, each.value] as const),
      ...(body?.type === "json" ? [["Content-Type", JSON_TYPE] as const] : []),
      ...(body?.type === "file" ? [["Content-Type", body.file?.type || "application/octet-stream"] as const] : []),
    ],
    body,
    hasFile: operation.responses.some(([, { content = {} }]) => content["*/*"] !== undefined),
  };
};

/** The file of the examples, while none is chosen. */
const FILE_NAME = "photo.heic";

const bodyFor = (operation: Operation, { json, fields, files }: Draft): PlannedRequest["body"] => {
  const kind = bodyKind(operation);
  if (kind === "json") {
    return { type: "json", text: json };
  }
  if (kind === "file") {
    const file = files.file?.[0];
    return { type: "file", file, name: file?.name ?? FILE_NAME };
  }
  return kind === "form" ? { type: "form", parts: formFields(operation).flatMap(partsOf(fields, files)) } : undefined;
};

const partsOf =
  (fields: Draft["fields"], files: Draft["files"]) =>
  ({ name, isFile, required }: FormField): readonly FormPart[] => {
    const chosen = files[name] ?? [];
    if (isFile && chosen.length > 0) {
      return chosen.map((file) => ({ name, text: file.name, file, isFile }));
    }
    const text = isFile ? FILE_NAME : (fields[name]?.trim() ?? "");
    return required || (!isFile && text !== "") ? [{ name, text, isFile }] : [];
  };

/** @returns the names of required values that are missing */
export const missingIn = (operation: Operation, { parameters, fields, files }: Draft): readonly string[] => [
  ...operation.parameters
    .filter((each) => each.required && !parameters[parameterKey(each)]?.trim())
    .map(({ name }) => name),
  ...formFields(operation)
    .filter(({ name, isFile, required }) => required && (isFile ? !files[name]?.length : !fields[name]?.trim()))
    .map(({ name }) => name),
  ...(bodyKind(operation) === "file" && !files.file?.length ? ["file"] : []),
];
