import { type RequestErrorCode, requestErrors } from "../../domain/errors.ts";
import { type AnswerDescription, descriptions, type OperationDescription } from "../operations.ts";
import { type ApiRoute, routeOf, type routes } from "../routes.ts";
import type { Example, ExampleName } from "./examples.ts";
import { type HeaderName, headerReferences } from "./headers.ts";
import { parameters } from "./parameters.ts";
import { reference } from "./schemas.ts";

type Json = Record<string, unknown>;
type Examples = Readonly<Record<string, Example>>;

/** @returns the operation as the document has it */
export const operationObject = (
  operation: (typeof routes)[number]["operation"],
  method: string,
  examples: Examples,
): Json => {
  const route = routeOf(operation);
  const description = descriptions[operation];
  const body = requestBodyOf(description, examples);
  return {
    operationId: method === "HEAD" ? `${operation}Head` : operation,
    summary: method === "HEAD" ? "Describe a result" : route.summary,
    description: `${description.text}${needs(route, method)}`,
    tags: [description.tag],
    security: securityOf(route),
    parameters: (description.parameters ?? []).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: responsesOf(route, method, { description, examples }),
  };
};

const securityOf = ({ auth, scope }: ApiRoute): Json[] => {
  const session = { session: [] };
  const table = { key: [{ apiKey: scope === undefined ? [] : [scope] }, session], session: [session], none: [] };
  return table[auth];
};

const needs = ({ scope, metered }: ApiRoute, method: string): string => {
  const counts = metered && method !== "HEAD" ? " An accepted request counts towards the quota." : "";
  return scope === undefined ? "" : `\n\nThe key needs the scope \`${scope}\`.${counts}`;
};

const FILE_FORM: Json = {
  schema: {
    type: "object",
    required: ["file"],
    properties: { file: { type: "string", format: "binary", description: "The file, with its name." } },
    additionalProperties: false,
  },
};

const requestBodyOf = ({ form, body }: OperationDescription, examples: Examples): Json | undefined =>
  form === undefined && body === undefined
    ? undefined
    : {
        ...(form && { "multipart/form-data": FILE_FORM }),
        ...(body && { "application/json": jsonContent(body, examples) }),
      };

/** @returns a JSON body that has the schema of its examples: of one, or of several */
const jsonContent = (names: readonly (ExampleName | RequestErrorCode)[], examples: Examples): Json => {
  const schemas = [...new Set(names.flatMap((name) => examples[name]?.schema ?? []))].map(reference);
  return {
    schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
    examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
  };
};

const SESSION_ERRORS = ["missing_session", "cross_site", "rate_limited"] as const;
const KEY_ERRORS = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "forbidden_scope",
  ...SESSION_ERRORS,
] as const;

/** @returns what is refused before the operation sees the request */
const entryErrors = ({ auth, methods, scope }: ApiRoute): readonly RequestErrorCode[] => {
  const changes = methods.some((method) => method === "POST" || method === "DELETE");
  const all = { key: KEY_ERRORS, session: SESSION_ERRORS, none: [] }[auth];
  return all.filter(
    (code) => (code !== "forbidden_scope" || scope !== undefined) && (code !== "cross_site" || changes),
  );
};

/** @returns the errors that the operation answers by itself, and those that only a test key makes it answer */
const errorsOf = (
  route: ApiRoute,
  { errors, forced }: OperationDescription,
): { own: readonly RequestErrorCode[]; forced: readonly RequestErrorCode[] } => {
  const own: readonly RequestErrorCode[] = [
    ...errors,
    ...entryErrors(route).filter((code) => !errors.includes(code)),
    ...(route.metered ? (["quota_exceeded"] as const) : []),
    "internal_error",
    "temporarily_unavailable",
  ];
  const all = Object.keys(requestErrors) as RequestErrorCode[];
  return { own, forced: forced ? all.filter((code) => !own.includes(code)) : [] };
};

interface Described {
  readonly description: OperationDescription;
  readonly examples: Examples;
}

const responsesOf = (route: ApiRoute, method: string, { description, examples }: Described): Json => {
  const { own, forced } = errorsOf(route, description);
  const codes = [...own, ...forced];
  const statuses = [...new Set(codes.map((code) => requestErrors[code].status))].sort((a, b) => a - b);
  const good = Object.entries(description.answers).filter(([status]) => method !== "HEAD" || status === "200");
  const common = headersOf(route, method);
  return Object.fromEntries([
    ...good.map(([status, answer]) => [
      status,
      method === "HEAD" ? headAnswer(common) : answerOf(answer, common, examples),
    ]),
    ...statuses.map((status) => {
      const here = codes.filter((code) => requestErrors[code].status === status);
      const text = here.map((code) => sentenceOf(code, forced)).join(" ");
      const headers = headerReferences([...common, ...problemHeaders(status)]);
      const content = { "application/problem+json": jsonContent(here, examples) };
      return [String(status), { description: text, headers, ...(method !== "HEAD" && { content }) }];
    }),
  ]);
};

const sentenceOf = (code: RequestErrorCode, forced: readonly RequestErrorCode[]): string =>
  `\`${code}\`: ${requestErrors[code].title}${forced.includes(code) ? " (forced by a test key)" : ""}.`;

const MONTH_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

const headersOf = ({ auth, metered }: ApiRoute, method: string): HeaderName[] => [
  "X-Request-Id",
  ...(auth !== "none" ? (["RateLimit-Policy", "RateLimit"] as const) : []),
  ...(metered && method !== "HEAD" ? MONTH_HEADERS : []),
];

const problemHeaders = (status: number): readonly HeaderName[] =>
  (({ 401: ["WWW-Authenticate"], 409: ["Retry-After"], 429: ["Retry-After"], 503: ["Retry-After"] }) as const)[
    status
  ] ?? [];

const answerOf = (answer: AnswerDescription, common: readonly HeaderName[], examples: Examples): Json => {
  const media = (answer.media ?? []).map((type) => [
    type,
    { schema: { type: type === "application/json" ? "object" : "string" } },
  ]);
  const json = answer.examples && [["application/json", jsonContent(answer.examples, examples)]];
  const content = [...media, ...(json ?? [])];
  return {
    description: answer.text,
    headers: headerReferences([...common, ...(answer.headers ?? [])]),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  };
};

const headAnswer = (common: readonly HeaderName[]): Json => ({
  description: "The file is here.",
  headers: headerReferences([...common, "ETag", "Content-Disposition", "Content-Length"]),
});

/** The parameters of a path that an operation must name, for the test that it does. */
export const pathParameters = ({ parameters: names = [] }: OperationDescription): string[] =>
  names.flatMap((name) => {
    const parameter = { name, ...parameters[name] };
    return parameter.in === "path" ? [parameter.name] : [];
  });
