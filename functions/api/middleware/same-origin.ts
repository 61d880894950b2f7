import { RequestError } from "../../domain/errors.ts";
import type { ApiRequest } from "../request.ts";

/**
 * Browsers send cookies no matter which page makes the request. `SameSite=Strict` excludes other sites, but not other
 * hosts on the same domain, so requests that change something must come from a page of the same origin.
 *
 * @throws RequestError `cross_site` when the browser reports another origin, or none
 */
export const checkSameOrigin = ({ headers, baseUrl }: ApiRequest<unknown>): void => {
  const site = headers["sec-fetch-site"];
  // Browsers omit `Sec-Fetch-Site` over plain HTTP, but send `Origin` with every POST and DELETE.
  const isSame = site === undefined ? headers.origin === new URL(baseUrl).origin : site === "same-origin";
  if (!isSame) {
    throw new RequestError(
      "cross_site",
      `Requests with a session cookie must come from a page of ${new URL(baseUrl).origin}. Programs use an API key.`,
    );
  }
};
