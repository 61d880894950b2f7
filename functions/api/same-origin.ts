import { RequestError } from "../domain/errors.ts";
import type { ApiRequest } from "./request.ts";

/**
 * A browser sends cookies whoever makes it ask. `SameSite=Strict` keeps other sites from it, but a neighbour on the same
 * domain is no other site; so what changes something must come from a page of this very origin.
 *
 * @throws RequestError `cross_site` when the browser says that it does not, or nothing at all
 */
export const checkSameOrigin = ({ headers, baseUrl }: ApiRequest<unknown>): void => {
  const site = headers["sec-fetch-site"];
  // Browsers leave `Sec-Fetch-Site` away over plain http; `Origin` they send with every POST and DELETE.
  const isSame = site === undefined ? headers.origin === new URL(baseUrl).origin : site === "same-origin";
  if (!isSame) {
    throw new RequestError(
      "cross_site",
      `A request by cookie must come from a page of ${new URL(baseUrl).origin}; a program uses an API key instead.`,
    );
  }
};
