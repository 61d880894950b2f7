import * as z from "zod/mini";
import { jobErrors, type RequestErrorCode, requestErrors } from "../domain/errors.ts";
import {
  downloadSchema,
  formatListSchema,
  healthSchema,
  jobSchema,
  problemSchema,
  uploadSchema,
} from "../domain/views.ts";
import { conversionRequest } from "./create-job.ts";
import { descriptions, type OperationDescription } from "./operations.ts";
import { type ApiRoute, routes } from "./routes.ts";

/** The OpenAPI 3.1 document, made from the route table and from the schemas that validate. */

const schemas = {
  Upload: uploadSchema,
  ConversionRequest: conversionRequest,
  Job: jobSchema,
  Download: downloadSchema,
  FormatList: formatListSchema,
  Health: healthSchema,
  Problem: problemSchema,
} as const;

export type SchemaName = keyof typeof schemas;

type Json = Record<string, unknown>;

/** @param baseUrl where the client reached the service, without a slash at the end */
export const openapi = (baseUrl: string): Json => ({
  openapi: "3.1.0",
  info: {
    title: "Anyform",
    version: "1",
    description: "Upload a file, name a format, wait, download the result.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: baseUrl }],
  paths: paths(),
  components: {
    securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key of the account." } },
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchema(schema)])),
  },
  "x-errors": requestErrors,
  "x-job-errors": jobErrors,
});

const jsonSchema = (schema: z.ZodMiniType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
};

const reference = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });

const paths = (): Json => {
  const byPath: Record<string, Json> = {};
  for (const route of routes) {
    const methods = route.methods.map((method) => [method.toLowerCase(), operationOf(route, method)]);
    byPath[route.path] = { ...byPath[route.path], ...Object.fromEntries(methods) };
  }
  return byPath;
};

const operationOf = (route: ApiRoute & { operation: keyof typeof descriptions }, method: string): Json => {
  const description: OperationDescription = descriptions[route.operation];
  return {
    operationId: method === "HEAD" ? `${route.operation}Head` : route.operation,
    summary: route.summary,
    description: description.text,
    security: route.auth === "key" ? [{ apiKey: [] }] : [],
    parameters: parametersOf(route, description),
    ...(description.body && { requestBody: { required: true, content: bodyOf(description.body) } }),
    responses: responsesOf(route, method, description),
  };
};

const parametersOf = (route: ApiRoute, { parameters = [] }: OperationDescription): Json[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  })),
  ...parameters.map((parameter) => ({ schema: { type: "string" }, ...parameter })),
];

const bodyOf = (body: NonNullable<OperationDescription["body"]>): Json =>
  body === "file"
    ? {
        "multipart/form-data": {
          schema: { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } },
        },
      }
    : { "application/json": { schema: reference(body) } };

const responsesOf = (route: ApiRoute, method: string, { answers, errors }: OperationDescription): Json => {
  const codes: readonly RequestErrorCode[] = [
    ...errors,
    ...(route.auth === "key" ? (["missing_api_key", "invalid_api_key", "expired_api_key"] as const) : []),
    ...(route.metered ? (["quota_exceeded"] as const) : []),
    "internal_error",
    "temporarily_unavailable",
  ];
  const statuses = [...new Set(codes.map((code) => requestErrors[code].status))].sort((a, b) => a - b);
  const good = Object.entries(answers).filter(([status]) => method !== "HEAD" || status === "200");
  return Object.fromEntries([
    ...good.map(([status, answer]) => [
      status,
      answerOf(method === "HEAD" ? { text: answer.text } : answer, route, method),
    ]),
    ...statuses.map((status) => [
      String(status),
      problemOf(codes.filter((code) => requestErrors[code].status === status)),
    ]),
  ]);
};

const answerOf = (answer: OperationDescription["answers"][string], route: ApiRoute, method: string): Json => ({
  description: answer.text,
  headers: Object.fromEntries(
    [
      "x-request-id",
      ...(answer.headers ?? []),
      ...(route.metered && method !== "HEAD"
        ? ["ratelimit", "ratelimit-policy", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]
        : []),
    ].map((name) => [name, { schema: { type: "string" } }]),
  ),
  ...(answer.schema && {
    content: {
      "application/json": { schema: answer.schema === "any" ? { type: "object" } : reference(answer.schema) },
    },
  }),
});

const problemOf = (codes: readonly RequestErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${requestErrors[code].title}.`).join(" "),
  content: { "application/problem+json": { schema: reference("Problem") } },
});
