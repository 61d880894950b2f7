import { jobErrors, requestErrors, uploadErrors } from "../domain/errors.ts";
import { type Example, examplesAt } from "./openapi/examples.ts";
import { headerComponents } from "./openapi/headers.ts";
import { operationObject } from "./openapi/operation.ts";
import { parameterComponents } from "./openapi/parameters.ts";
import { schemaComponents } from "./openapi/schemas.ts";
import { tags } from "./openapi/tags.ts";
import { webhooks } from "./openapi/webhooks.ts";
import { routes } from "./routes.ts";

/** The OpenAPI 3.1 document, made from the route table and from the schemas that validate. */

type Json = Record<string, unknown>;

const DESCRIPTION = `Upload a file, name a format, wait, download the result.

1. \`createUpload\` takes the file and says what it can become.
2. \`createJob\` converts it; with \`Prefer: wait=25\` the answer often is the finished job.
3. \`getJob\` tells how far it is, and in the end where the result is.
4. \`downloadResult\` leads to the file.

**Errors** are problem details (RFC 9457); \`code\` is stable, and \`x-errors\`, \`x-upload-errors\` and \`x-job-errors\` of this document list all codes. A path that nothing serves gets 404 \`not_found\`, a method that a path does not have 405 \`method_not_allowed\` with \`Allow\`; what belongs to another account is a 404. A request whose line and headers have more than 8 kB may be refused before it comes to an operation (431).

**Limits**: an account has a quota of requests a month, which only accepted requests to upload, convert and download count towards, and a number of requests a second. The headers \`RateLimit\` and \`RateLimit-Policy\` tell what is left.

**Repeating** a request is safe with an \`Idempotency-Key\`; \`retryable\` of an error tells whether it makes sense.`;

const KEY = `An API key of the account, \`af_live_…\`, or \`af_test_…\` to try things. It may be made for some scopes only:

| scope | what for |
| --- | --- |
| \`upload\` | make uploads, see and complete them |
| \`convert\` | make jobs and batches, cancel and erase jobs |
| \`read\` | see jobs and the account |
| \`download\` | download results |
| \`webhooks\` | see and repeat messages to webhooks, see and replace what they are signed with |`;

const SESSION =
  "Who is signed in, in a browser: `createSession` sets the cookie, over plain http by the name `anyform`. A request that " +
  "changes something must come from a page of the service itself (`Sec-Fetch-Site: same-origin`, or its own `Origin`).";

/** @param baseUrl where the client reached the service, without a slash at the end */
export const openapi = (baseUrl: string): Json => {
  const examples = examplesAt(baseUrl);
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
    externalDocs: { description: "This document as a page, to read and to try", url: `${baseUrl}/api/v1/docs` },
    servers: [{ url: baseUrl, description: "Where you got this document" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(examples),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "API key", description: KEY },
        session: { type: "apiKey", in: "cookie", name: "__Host-anyform", description: SESSION },
      },
      parameters: parameterComponents(),
      headers: headerComponents(),
      schemas: schemaComponents(),
      examples: Object.fromEntries(
        Object.entries<Example>(examples).map(([name, { summary, value }]) => [name, { summary, value }]),
      ),
    },
    "x-errors": requestErrors,
    "x-upload-errors": uploadErrors,
    "x-job-errors": jobErrors,
  };
};

const paths = (examples: Readonly<Record<string, Example>>): Json => {
  const byPath: Record<string, Json> = {};
  for (const { operation, methods, path } of routes) {
    const operations = methods.map((method) => [method.toLowerCase(), operationObject(operation, method, examples)]);
    byPath[path] = { ...byPath[path], ...Object.fromEntries(operations) };
  }
  return byPath;
};
