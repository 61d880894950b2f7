import { roles } from "../../domain/accounts/members.ts";
import { requestErrors } from "../../domain/errors/request-errors.ts";
import type { RequestErrorCode } from "../../domain/errors.ts";
import { rolesOf } from "../areas.ts";
import type { AnswerDescription, AnyOperation, Example } from "../operation.ts";
import { type HeaderName, headerReferences } from "./headers.ts";
import { parameters } from "./parameters.ts";
import { reference } from "./schemas.ts";

type Json = Record<string, unknown>;
type Examples = Readonly<Record<string, Example>>;

/** @returns the operation as an Operation Object of OpenAPI */
export const operationObject = (operation: AnyOperation, method: string, examples: Examples): Json => {
  const body = requestBodyOf(operation, examples);
  return {
    operationId: operation.id,
    summary: method === "HEAD" ? "Retrieve the headers of a result" : operation.summary,
    description: `${operation.description}${needs(operation, method)}`,
    tags: [operation.tag],
    security: securityOf(operation),
    parameters: (operation.parameters ?? []).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: responsesOf(operation, method, examples),
    ...(operation.alsoServes && { "x-also-serves": operation.alsoServes }),
  };
};

const securityOf = ({ auth, scope }: AnyOperation): Json[] => {
  const session = { session: [] };
  const table = { key: [{ apiKey: scope === undefined ? [] : [scope] }, session], session: [session], none: [] };
  return table[auth];
};

const needs = ({ scope, metered }: AnyOperation, method: string): string => {
  const counts = metered && method !== "HEAD" ? " An accepted request counts toward the quota." : "";
  return scope === undefined ? "" : `\n\nRequires an API key with the scope \`${scope}\`, or a session.${counts}`;
};

const requestBodyOf = ({ files, requests = [] }: AnyOperation, examples: Examples): Json | undefined => {
  const bodies = Object.entries(files?.() ?? {}).map(([type, schema]): [string, Json] => [type, { schema }]);
  const json: [string, Json][] = requests.length === 0 ? [] : [["application/json", jsonContent(requests, examples)]];
  const all = [...bodies, ...json];
  return all.length === 0 ? undefined : Object.fromEntries(all);
};

/**
 * @returns a JSON body with the schemas of its examples
 * @throws TypeError for an example that no operation defines
 */
const jsonContent = (names: readonly string[], examples: Examples): Json => {
  const schemas = [...new Set(names.map((name) => schemaOf(examples[name], name)))].map(reference);
  return {
    schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
    examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
  };
};

const schemaOf = (example: Example | undefined, name: string): string => {
  if (example === undefined) {
    throw new TypeError(`Example ${name} not found.`);
  }
  return example.schema;
};

const SESSION_ERRORS = ["missing_session", "cross_site", "rate_limited"] as const;
const KEY_ERRORS = [
  "missing_api_key",
  "invalid_api_key",
  "expired_api_key",
  "forbidden_scope",
  "forbidden_origin",
  ...SESSION_ERRORS,
] as const;
const PUBLIC_ERRORS = ["rate_limited"] as const;
const BODY_ERRORS = ["malformed_json", "invalid_request", "payload_too_large", "unsupported_media_type"] as const;

/** @returns the errors of the middleware, which the operation never sees */
const entryErrors = (operation: AnyOperation): readonly RequestErrorCode[] => {
  const { id, path, auth, methods, scope, body, metered } = operation;
  const changes = methods.some((method) => method !== "GET" && method !== "HEAD");
  // The health check is never limited, and other public changes have limits that they list themselves.
  const publicErrors = methods.includes("GET") && id !== "getHealth" ? PUBLIC_ERRORS : [];
  const authentication = { key: KEY_ERRORS, session: SESSION_ERRORS, none: publicErrors }[auth].filter(
    (code) => (code !== "forbidden_scope" || scope !== undefined) && (code !== "cross_site" || changes),
  );
  const isForSome = auth !== "none" && rolesOf(operation).length < roles.length;
  return [
    ...(body === undefined ? [] : BODY_ERRORS),
    // A path that cannot be decoded belongs to no operation.
    ...(path.includes("{") ? (["not_found"] as const) : []),
    ...authentication,
    ...(isForSome ? (["forbidden_role"] as const) : []),
    ...(metered ? (["quota_exceeded", "key_quota_exceeded"] as const) : []),
    "internal_error",
    "temporarily_unavailable",
  ];
};

/** @returns the errors of every request, and those that only the name of a test file simulates */
const errorsOf = (
  operation: AnyOperation,
): { real: readonly RequestErrorCode[]; simulated: readonly RequestErrorCode[] } => {
  const real = [...new Set([...(operation.errors ?? []), ...entryErrors(operation)])];
  const all = Object.keys(requestErrors) as RequestErrorCode[];
  return { real, simulated: operation.simulatedErrors ? all.filter((code) => !real.includes(code)) : [] };
};

const responsesOf = (operation: AnyOperation, method: string, examples: Examples): Json => {
  const { real, simulated } = errorsOf(operation);
  const codes = [...real, ...simulated];
  const statuses = [...new Set(codes.map((code) => requestErrors[code].status))].sort((a, b) => a - b);
  const good = Object.entries(operation.answers).filter(([status]) => method !== "HEAD" || status === "200");
  const common = headersOf(operation, method);
  return Object.fromEntries([
    ...good.map(([status, answer]) => [
      status,
      method === "HEAD" ? headAnswer(common) : answerOf(answer, common, examples),
    ]),
    ...statuses.map((status) => {
      const here = codes.filter((code) => requestErrors[code].status === status);
      const text = here.map((code) => sentenceOf(code, simulated)).join(" ");
      const headers = headerReferences([...common, ...problemHeaders(status)]);
      const content = { "application/problem+json": jsonContent(here, examples) };
      return [String(status), { description: text, headers, ...(method !== "HEAD" && { content }) }];
    }),
  ]);
};

const sentenceOf = (code: RequestErrorCode, simulated: readonly RequestErrorCode[]): string =>
  `\`${code}\`: ${requestErrors[code].title}${simulated.includes(code) ? " (test keys only)" : ""}.`;

const MONTH_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

const headersOf = ({ auth, metered, parameters: names = [] }: AnyOperation, method: string): HeaderName[] => [
  "X-Request-Id",
  ...(names.includes("prefer") ? (["Preference-Applied"] as const) : []),
  ...(auth !== "none" ? (["RateLimit-Policy", "RateLimit"] as const) : []),
  ...(metered && method !== "HEAD" ? MONTH_HEADERS : []),
];

const problemHeaders = (status: number): readonly HeaderName[] =>
  (({ 401: ["WWW-Authenticate"], 409: ["Retry-After"], 429: ["Retry-After"], 503: ["Retry-After"] }) as const)[
    status
  ] ?? [];

const ANY_FILE: Json = { type: "string", format: "binary" };

const answerOf = (answer: AnswerDescription, common: readonly HeaderName[], examples: Examples): Json => {
  const media = (answer.media ?? []).map((type) => [
    type,
    { schema: type === "*/*" ? ANY_FILE : { type: type === "application/json" ? "object" : "string" } },
  ]);
  const json = answer.examples && [[answer.jsonType ?? "application/json", jsonContent(answer.examples, examples)]];
  const content = [...media, ...(json ?? [])];
  return {
    description: answer.description,
    headers: headerReferences([...common, ...(answer.headers ?? [])]),
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  };
};

const headAnswer = (common: readonly HeaderName[]): Json => ({
  description: "The result can be downloaded.",
  headers: headerReferences([...common, "ETag", "Content-Disposition", "Content-Length"]),
});

/** @returns the path parameters that the operation names, for the test that they are those of its path */
export const pathParameters = ({ parameters: names = [] }: Pick<AnyOperation, "parameters">): string[] =>
  names.flatMap((name) => {
    const parameter = { name, ...parameters[name] };
    return parameter.in === "path" ? [parameter.name] : [];
  });
