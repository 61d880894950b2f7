/** The parts of the service's OpenAPI document that the reference shows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

interface Reference {
  readonly $ref: string;
}

export interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ErrorRow {
  /** Only for request errors. */
  readonly status?: number;
  readonly title: string;
  /** When it occurs. */
  readonly when: string;
  /** What to do. */
  readonly action: string;
  readonly retryable: boolean;
}

export type ErrorTable = Readonly<Record<string, ErrorRow>>;

export interface OpenapiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>;
  readonly components: {
    readonly securitySchemes: { readonly apiKey: { readonly description: string } };
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
  readonly "x-errors": ErrorTable;
  readonly "x-job-errors": ErrorTable;
  readonly "x-upload-errors": ErrorTable;
}

/** An operation of the API, or a message that the service sends. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** In uppercase. */
  readonly method: string;
  /** With parameters in braces; for a message the type of the event. */
  readonly path: string;
  /** `message`: sent by the service. */
  readonly kind: "request" | "message";
  /** `dashboard`: only for the pages of the service, with the cookie of a session. */
  readonly access: "dashboard" | "key" | "none";
  /** The scope that an API key needs. @default none */
  readonly scope: string | undefined;
  readonly parameters: readonly Parameter[];
  /** Media types with their content. */
  readonly bodies: readonly (readonly [type: string, content: Content])[];
  readonly responses: readonly (readonly [status: string, response: ResponseObject])[];
}

/** @returns all operations of the document, then its messages */
export const operationsOf = (document: OpenapiDocument): readonly Operation[] => [
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, object]) => operationOf(document, { method, path, object, kind: "request" })),
  ),
  ...Object.entries(document.webhooks).map(([path, { post }]) =>
    operationOf(document, { method: "post", path, object: post, kind: "message" }),
  ),
];

interface Found {
  readonly method: string;
  readonly path: string;
  readonly object: OperationObject;
  readonly kind: Operation["kind"];
}

const operationOf = (document: OpenapiDocument, { method, path, object, kind }: Found): Operation => ({
  id: object.operationId,
  summary: object.summary,
  description: object.description,
  tag: object.tags[0],
  method: method.toUpperCase(),
  path,
  kind,
  access: accessOf(path, object),
  scope: object.security.find((each) => each.apiKey !== undefined)?.apiKey?.[0],
  parameters: (object.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? parameterAt(document, parameter.$ref) : parameter,
  ),
  bodies: Object.entries(object.requestBody?.content ?? {}),
  responses: Object.entries(object.responses),
});

/** Everything below `/session` is for the pages of the service, also what needs no session yet. */
const accessOf = (path: string, { security }: OperationObject): Operation["access"] => {
  if (path.startsWith("/api/v1/session") || (security.length > 0 && security.every((each) => each.session))) {
    return "dashboard";
  }
  return security.length === 0 ? "none" : "key";
};

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const parameterAt = ({ components }: OpenapiDocument, reference: string): Parameter => {
  const found = components.parameters[nameIn(reference)];
  if (found === undefined) {
    throw new TypeError(`The document has no parameter ${reference}.`);
  }
  return found;
};

/** A schema with its name if it has one. */
export interface NamedSchema {
  readonly name: string | undefined;
  readonly schema: Schema;
}

/** @returns the schema itself, or the one that it refers to */
export const resolved = (document: OpenapiDocument, schema: Schema): NamedSchema => {
  if (schema.$ref === undefined) {
    return { name: undefined, schema };
  }
  const name = nameIn(schema.$ref);
  return { name, schema: document.components.schemas[name] ?? {} };
};

/** An example of a body. */
export interface BodyExample {
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
}

/** @returns the examples of a content */
export const examplesOf = ({ components }: OpenapiDocument, content: Content | undefined): readonly BodyExample[] =>
  Object.entries(content?.examples ?? {}).flatMap(([name, { $ref }]) => {
    const example = components.examples[nameIn($ref)];
    return example === undefined ? [] : [{ name, summary: example.summary, value: example.value }];
  });

/** @returns the description of a response header */
export const headerText = ({ components }: OpenapiDocument, { $ref }: Reference): string =>
  components.headers[nameIn($ref)]?.description ?? "";
