import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";

/** The checked parts of a response. */
export interface CheckedReply {
  readonly status: number;
  readonly headers: Pick<Headers, "get" | "has">;
  readonly body: unknown;
}

/** Fails the test if a response does not match the document for the operation and the status. */
export type DocumentCheck = (method: string, path: string, reply: CheckedReply) => void;

export interface OpenapiDocument {
  readonly paths: Record<string, Record<string, OpenapiOperation>>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly headers: Record<string, { readonly required?: boolean }>;
    readonly parameters: Record<string, OpenapiParameter>;
    readonly examples: Record<string, { readonly value: unknown }>;
  };
}

export interface OpenapiOperation {
  readonly operationId: string;
  /** Operations that requests to the same path can also be, by their media type or `Accept`. */
  readonly "x-also-serves"?: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Reference[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: Record<string, Reference> }> };
  readonly responses: Record<string, OpenapiResponse>;
}

export interface OpenapiParameter {
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly example: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface OpenapiResponse {
  readonly headers?: Record<string, Reference>;
  readonly content?: Record<string, { readonly schema: Record<string, unknown> }>;
}

/** Every response of any server has these. */
const UNREMARKABLE = new Set(["Content-Length", "Content-Disposition"]);

export const documentCheck = (document: OpenapiDocument): DocumentCheck => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Responses may have properties that the document lacks, so that they can grow. Those of this version may not.
  ajv.addSchema({ $id: "openapi", components: closed(document.components) as object });
  const validators = new Map<string, ValidateFunction>();
  const check = (schema: object, body: unknown): void => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validate);
    const fits = validate(body);
    expect(fits, `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)?.slice(0, 500)}`).toBe(true);
  };
  const find = operationFinder(document);
  return (method, path, reply) => {
    const { status, headers, body } = reply;
    if (method === "OPTIONS") {
      expect([204, 404, 405], `OPTIONS ${path}`).toContain(status);
      return;
    }
    // Surplus slashes are ignored, and HEAD is served wherever GET is.
    const pathname = new URL(path.replace(/^\/+/, "/"), "http://service").pathname;
    const plain = pathname.replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
    if (status === 308 && plain !== pathname) {
      expect(new URL(headers.get("location") ?? "", "http://service").pathname).toBe(plain);
      return;
    }
    const found = find(method, plain) ?? (method === "HEAD" ? find("GET", plain) : undefined);
    if (found === undefined) {
      expect([404, 405], `${method} ${path} is not in the document`).toContain(status);
      if (method !== "HEAD") {
        check({ $ref: "#/components/schemas/Problem" }, body);
      }
      return;
    }
    const type = headers.get("content-type")?.replace("; charset=utf-8", "") ?? "";
    // A result can be a JSON file of any content.
    const isFile = headers.has("content-disposition");
    const response = responseOf(document, found, { status, type: isFile ? "*/*" : type });
    expect(response, `${method} ${path} answered ${status}, which is not in the document`).toBeDefined();
    checkHeaders(document, response ?? {}, headers);
    const content = Object.entries(response?.content ?? {});
    if (content.length === 0 || method === "HEAD") {
      expect(body).toBeUndefined();
      return;
    }
    const types = content.map(([each]) => each);
    expect(types.includes("*/*") ? [...types, type] : types).toContain(type);
    if (type.endsWith("json") && !isFile) {
      check(response?.content?.[type]?.schema ?? {}, body);
    }
  };
};

/** @returns the response of the operation, or of a variant whose media type matches better */
const responseOf = (
  { paths }: OpenapiDocument,
  operation: OpenapiOperation,
  { status, type }: { readonly status: number; readonly type: string },
): OpenapiResponse | undefined => {
  const ids = [operation.operationId, ...(operation["x-also-serves"] ?? [])];
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = ids
    .map((id) => all.find(({ operationId }) => operationId === id)?.responses[String(status)])
    .filter((each) => each !== undefined);
  const has = (name: string) => responses.find(({ content = {} }) => name in content);
  return has(type) ?? has("*/*") ?? responses[0];
};

/** @returns the schemas with `additionalProperties: false` for all objects with properties */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(closed);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  return copy.type === "object" && "properties" in copy ? { additionalProperties: false, ...copy } : copy;
};

/** A response has all required headers, and none of our headers without a description. */
const checkHeaders = ({ components }: OpenapiDocument, response: OpenapiResponse, headers: CheckedReply["headers"]) => {
  const here = Object.keys(components.headers).filter((name) => headers.has(name) && !UNREMARKABLE.has(name));
  const described = Object.keys(response.headers ?? {});
  expect(described).toEqual(expect.arrayContaining(here));
  const required = described.filter((name) => components.headers[name]?.required && !headers.has(name));
  expect(required, "missing headers").toEqual([]);
};

const operationFinder = (document: OpenapiDocument) => {
  const rows = Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      operation,
      parameters: template.split("{").length,
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    })),
  );
  // A literal path takes precedence over a parameter.
  const byParameters = rows.sort((one, other) => one.parameters - other.parameters);
  return (method: string, pathname: string): OpenapiOperation | undefined =>
    byParameters.find((row) => row.method === method && row.pattern.test(pathname))?.operation;
};
