import { type Cacheable, cacheable, cachedAnswer } from "./cacheable.ts";
import { http, type Operation } from "./http.ts";
import { openapi } from "./openapi.ts";

/** Gives the interface as an OpenAPI 3.1 document. */
export const getOpenapi: Operation = () => async (request) => cachedAnswer(request, documentAt(request.baseUrl));

export const handler = http("getOpenapi", getOpenapi);

/** The document that was asked for last: almost always clients reach the service by one URL. */
let latest: { readonly baseUrl: string; readonly document: Cacheable } | undefined;

const documentAt = (baseUrl: string): Cacheable => {
  if (latest?.baseUrl !== baseUrl) {
    const document = cacheable(Buffer.from(JSON.stringify(openapi(baseUrl))), "application/json");
    latest = { baseUrl, document };
  }
  return latest.document;
};
