import type * as z from "zod/mini";
import type { Scope } from "../domain/accounts/keys.ts";
import type { Area } from "../domain/accounts/members.ts";
import type { MeteredKind } from "../domain/accounts/quotas.ts";
import type { RequestErrorCode } from "../domain/errors.ts";
import type { Context } from "../domain/ports.ts";
import type { HeaderName } from "./openapi/headers.ts";
import type { ParameterName } from "./openapi/parameters.ts";
import type { Samples } from "./openapi/samples.ts";
import type { TagName } from "./openapi/tags.ts";
import type { Permissions } from "./permissions.ts";
import type { Answer, ApiRequest, BodySchema } from "./request.ts";

export type Method = "DELETE" | "GET" | "HEAD" | "POST" | "PUT";

/** How requests reach an operation, and the checks that precede it. */
export interface Route {
  readonly id: string;
  /** With GET, HEAD is served as well: see {@link servedMethods}. */
  readonly methods: readonly Method[];
  /** With `{name}` for a parameter. */
  readonly path: string;
  /** Further paths that it serves, by their operation ID in the OpenAPI document. @default none */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Who may call it. `key`: an API key or a session of an account. `session`: a session only. */
  readonly auth: "key" | "none" | "session";
  /** The scope that an API key needs. @default any key */
  readonly scope?: Scope;
  /** What it is about, which decides the roles of members that may call it. @default that of its tag */
  readonly area?: Area;
  /** Whether visitors without an account may call it. @default no */
  readonly visitors?: true;
  /** How an accepted request counts toward the monthly quota; HEAD never does. @default it does not */
  readonly metered?: MeteredKind;
  /** Bytes of a JSON body. @default JSON_BODY_BYTES_MAX */
  readonly jsonBytesMax?: number;
}

/** @returns the methods of the route, with HEAD wherever GET is served (RFC 9110, 9.1) */
export const servedMethods = ({ methods }: Pick<Route, "methods">): readonly Method[] =>
  methods.includes("GET") && !methods.includes("HEAD") ? [...methods, "HEAD"] : methods;

/** @returns the path of the route and its aliases */
export const servedPaths = ({ path, aliases = {} }: Pick<Route, "aliases" | "path">): readonly string[] => [
  path,
  ...Object.values(aliases),
];

/** The Lambda function that runs an operation. */
export interface OperationFunction {
  /** 1,769 MB is one full virtual CPU. @default MEMORY_MEGABYTES */
  readonly memoryMegabytes?: number;
  /** HTTP API ends a request after 30 s. @default TIMEOUT_SECONDS */
  readonly timeoutSeconds?: number;
  readonly permissions: Permissions;
}

export const MEMORY_MEGABYTES = 512;
export const TIMEOUT_SECONDS = 10;

/** A request or response body in the OpenAPI document. */
export interface Example {
  readonly summary: string;
  /** Name of its schema in the document. */
  readonly schema: string;
  readonly value: unknown;
}

export const example = (schema: string, summary: string, value: unknown): Example => ({ schema, summary, value });

export interface AnswerDescription {
  readonly description: string;
  /** Names of examples of a JSON body; their schemas are those of the body. */
  readonly examples?: readonly string[];
  /** The media type of a JSON body. @default application/json */
  readonly jsonType?: string;
  /** Media types of any other body. */
  readonly media?: readonly string[];
  readonly headers?: readonly HeaderName[];
}

/**
 * One method and path of an operation in the OpenAPI document. Client generators know one media type per request and
 * one per response, so an operation that takes or returns several has one path for each.
 */
export type Variant = Partial<
  Pick<
    AnyOperation,
    "alsoServes" | "answers" | "description" | "errors" | "files" | "methods" | "parameters" | "requests" | "summary"
  >
>;

/** What the OpenAPI document says about an operation. */
export interface OperationText {
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly ParameterName[];
  /** Names of examples of a JSON request body; their schemas are those of the body. */
  readonly requests?: readonly string[];
  /**
   * Request bodies with files by media type, with their JSON Schemas; `run` reads them itself. A function, because only
   * the document needs the schemas. @default the body is JSON
   */
  readonly files?: () => Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What differs in the document, by the operation ID of a variant. @default they differ in the path or method only */
  readonly variants?: () => Readonly<Record<string, Variant>>;
  /** The variants that requests to this path can also be, by their media type or `Accept`. @default none */
  readonly alsoServes?: readonly string[];
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Error codes, without those of authentication, metering and a JSON `body`. */
  readonly errors?: readonly RequestErrorCode[];
  /** Whether a test key can simulate every other error. */
  readonly simulatedErrors?: true;
  /** Examples by name; any operation can refer to them. A function, because only the document needs them. */
  readonly examples?: (samples: Samples) => Readonly<Record<string, Example>>;
  /** Schemas by name that no other operation answers with. A function, because only the document needs them. */
  readonly schemas?: () => Readonly<Record<string, z.ZodMiniType>>;
}

/**
 * An operation of the API: THE description from which the route table, the middleware, the OpenAPI document, the
 * client's types, the Lambda function and its IAM permissions are derived. Its file is named after its ID, and imports
 * neither the deployed context nor HTTP middleware, so that all of them can read it as data.
 */
export interface Operation<Body = undefined> extends Route, OperationFunction, OperationText {
  /** The schema of a JSON body. @default `run` reads the body itself */
  readonly body?: BodySchema<Body>;
  /** Serves a request that has passed the middleware. */
  readonly run: (context: Context) => (request: ApiRequest<Body>) => Promise<Answer>;
}

/** An operation of unknown body type, such as a row of the route table. */
export interface AnyOperation extends Omit<Operation, "body" | "run"> {
  readonly body?: BodySchema<unknown>;
  readonly run: (context: Context) => (request: ApiRequest<never>) => Promise<Answer>;
}

/** @returns the operation, with `run` typed by the body schema, and the ID as a literal type */
export const operation = <const Id extends string, Body = undefined>(
  definition: Operation<Body> & { readonly id: Id },
): Operation<Body> & { readonly id: Id } => definition;
