import { COUNTED_REQUESTS } from "../../domain/accounts/quotas.ts";
import { jobErrors } from "../../domain/errors/job-errors.ts";
import { requestErrors } from "../../domain/errors/request-errors.ts";
import { uploadErrors } from "../../domain/errors/upload-errors.ts";
import type { AnyOperation, Example, Method } from "../operation.ts";
import { examplesAt } from "./examples.ts";
import { headerComponents } from "./headers.ts";
import { openSchemas } from "./open-schemas.ts";
import { operationObject } from "./operation-object.ts";
import { parameterComponents } from "./parameters.ts";
import { schemaComponents } from "./schemas.ts";
import { tags } from "./tags.ts";
import { webhooks } from "./webhooks.ts";

/** The OpenAPI 3.1 document, generated from the operations and the schemas that validate requests. */

type Json = Record<string, unknown>;

const DESCRIPTION = `Convert a file in one call: \`createJob\` takes the file and returns the result. For large files, long conversions and several targets of one file, use separate calls:

1. \`createUpload\` stores the file and lists the formats it can be converted to.
2. \`createJob\` converts it. With \`Prefer: wait=25\` the response is often the completed job.
3. \`getJob\` returns the progress and, once the job is completed, the result.
4. \`downloadResult\` returns the file.

**Errors** are problem details (RFC 9457). \`code\` is stable; \`x-errors\`, \`x-upload-errors\` and \`x-job-errors\` of this document list all codes. Unknown paths return 404 \`not_found\`; unsupported methods return 405 \`method_not_allowed\` with \`Allow\`. \`type\` is \`urn:anyform:error:\` and the code. Resources of another account return 404. Requests with more than 8 kB of request line and headers may be rejected before they reach an operation (431).

**Limits**: each account has a monthly quota and a number of requests per second. ${COUNTED_REQUESTS} Rejected requests are not counted. The \`RateLimit\` and \`RateLimit-Policy\` headers return what remains.

**Methods and paths**: HEAD is supported wherever GET is: same headers, no body, never counted. A trailing slash and repeated slashes are ignored, or redirected with 308, which keeps method and body.

**Browsers**: pages of any origin can call the API with an API key (CORS). Credentials are never allowed, and operations of a session are limited to pages of the service.

**Retries** are safe with an \`Idempotency-Key\`. \`retryable\` of an error says whether a retry can succeed.`;

const KEY = `An API key of the account: \`af_live_…\`, or \`af_test_…\` for testing. A key can be limited to scopes:

| scope | allows |
| --- | --- |
| \`upload\` | creating, retrieving and completing uploads |
| \`convert\` | creating, canceling and deleting jobs and batches |
| \`read\` | retrieving jobs and the account |
| \`download\` | downloading results |
| \`webhooks\` | listing and redelivering webhook messages; retrieving and rotating the signing secret |`;

const SESSION =
  "The session of a browser: `createSession` sets the cookie, which is named `anyform` over plain HTTP. Requests that " +
  "change something must come from a page of the service (`Sec-Fetch-Site: same-origin`, or its own `Origin`).";

/**
 * @param routes the operations, in the order of the document
 * @param baseUrl the base URL by which the client reached the service, without a trailing slash
 */
export const openapi = (routes: readonly AnyOperation[], baseUrl: string): Json => {
  const examples = examplesAt(routes, baseUrl);
  return {
    openapi: "3.1.0",
    info: {
      title: "Anyform",
      version: "1",
      summary: "File conversion",
      description: DESCRIPTION,
      contact: { name: "Anyform", url: `${baseUrl}/api/v1/docs` },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    externalDocs: { description: "Interactive documentation", url: `${baseUrl}/api/v1/docs` },
    servers: [{ url: baseUrl, description: "This server" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(routes, examples),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "API key", description: KEY },
        session: { type: "apiKey", in: "cookie", name: "__Host-anyform", description: SESSION },
      },
      parameters: parameterComponents(),
      headers: headerComponents(),
      schemas: openSchemas(schemaComponents(routes), requestSchemas(routes, examples)),
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, { summary, value }]) => [name, { summary, value }]),
      ),
    },
    "x-errors": requestErrors,
    "x-upload-errors": uploadErrors,
    "x-job-errors": jobErrors,
  };
};

/** @returns the names of the schemas of JSON request bodies */
const requestSchemas = (routes: readonly AnyOperation[], examples: Readonly<Record<string, Example>>): string[] =>
  routes
    .flatMap(variantsOf)
    .flatMap(([, { requests = [] }]) => requests.map((name) => examples[name]?.schema ?? []))
    .flat();

const paths = (routes: readonly AnyOperation[], examples: Readonly<Record<string, Example>>): Json => {
  const byPath: Record<string, Json> = {};
  for (const [method, operation] of routes.flatMap(variantsOf)) {
    const { path } = operation;
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operationObject(operation, method, examples) };
  }
  return byPath;
};

/** @returns each method and path of the operation, with the ID and the text that it has in the document */
const variantsOf = (operation: AnyOperation): (readonly [Method, AnyOperation])[] => {
  const texts = operation.variants?.() ?? {};
  const paths = Object.entries({ [operation.id]: operation.path, ...operation.aliases });
  return paths.flatMap(([name, path]) =>
    (texts[name]?.methods ?? operation.methods).map((method) => {
      const id = `${name}${{ HEAD: "Head", PUT: "Put" }[method as string] ?? ""}`;
      return [method, { ...operation, ...texts[id], id, path }] as const;
    }),
  );
};
