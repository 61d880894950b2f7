import { type Cacheable, cacheable, cachedAnswer } from "../middleware/cacheable.ts";
import { operation } from "../operation.ts";
import { noPermissions } from "../permissions.ts";

/**
 * Returns the API as an OpenAPI 3.1 document.
 *
 * @param documentAt returns the document for a base URL. The Lambda function gets one that was made by the bundler, so that
 * its code does not contain every operation.
 */
export const getOpenapi = (documentAt: (baseUrl: string) => object) =>
  operation({
    id: "getOpenapi",
    methods: ["GET"],
    path: "/api/v1/openapi.json",
    auth: "none",
    permissions: noPermissions,
    tag: "Service",
    summary: "This document",
    description: "Returns this OpenAPI 3.1 document, which is made from the schemas that validate requests.",
    parameters: ["version"],
    answers: {
      200: { description: "The document.", media: ["application/json"], headers: ["ETag"] },
      304: { description: "The client has this version.", headers: ["ETag"] },
    },
    run: () => async (request) => cachedAnswer(request, cached(documentAt, request.baseUrl)),
  });

/** The document of the last request: almost all clients reach the service by the same URL. */
let latest: { readonly baseUrl: string; readonly document: Cacheable } | undefined;

const cached = (documentAt: (baseUrl: string) => object, baseUrl: string): Cacheable => {
  if (latest?.baseUrl !== baseUrl) {
    const document = cacheable(Buffer.from(JSON.stringify(documentAt(baseUrl))), "application/json");
    latest = { baseUrl, document };
  }
  return latest.document;
};
