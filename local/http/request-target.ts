import type { IncomingMessage } from "node:http";
import { canonicalPath } from "../../functions/api/paths.ts";
import { REFERENCE_PATH } from "../../functions/domain/site/site-paths.ts";

/** A request line can contain an absolute URL, whose host replaces the header `Host` (RFC 9112, 3.2.2). */
export const toOriginForm = (request: IncomingMessage): void => {
  const url = /^https?:\/\//i.test(request.url ?? "") ? URL.parse(request.url ?? "") : null;
  if (url !== null) {
    request.url = `${url.pathname}${url.search}`;
    request.headers.host = url.host;
  }
};

/**
 * Paths of the API never serve pages, so that unknown paths return problem details. Only its reference is a page.
 * @returns the path of the page; undefined for a request to the API
 */
export const pageOf = ({ method }: IncomingMessage, path: string): string | undefined => {
  if (method !== "GET" && method !== "HEAD") {
    return undefined;
  }
  if (canonicalPath(path) === REFERENCE_PATH) {
    return REFERENCE_PATH;
  }
  return /^\/+(?:(?:api|files)(?:\/|$)|(?:health|metrics)\/*$)/i.test(path) ? undefined : path;
};
