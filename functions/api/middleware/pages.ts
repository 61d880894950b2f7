import { PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX } from "../../domain/limits.ts";
import { type ApiRequest, invalidValue } from "../request.ts";

/**
 * @param prefix the prefix of the IDs in the list
 * @returns the requested page of a list: `?limit=` and `?after=`
 * @throws RequestError `invalid_request`
 */
export const pageOf = (
  { query }: ApiRequest<unknown>,
  prefix: "job_" | "msg_" | "pip_" | "req_",
): { limit: number; after?: string } => {
  const limit = Number(query.limit ?? PAGE_ITEMS_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_ITEMS_MAX) {
    throw invalidValue("/limit", `\`limit\` must be a number from 1 to ${PAGE_ITEMS_MAX}.`);
  }
  if (query.after === undefined) {
    return { limit };
  }
  if (!query.after.startsWith(prefix) || !/^[a-z]+_[0-9A-Za-z]{1,40}$/.test(query.after)) {
    throw invalidValue("/after", "`after` must be the `next` value of the previous page.");
  }
  return { limit, after: query.after };
};

/** @returns the `Link` header to the next page (RFC 8288); none on the last page */
export const nextLink = ({ path, query }: ApiRequest<unknown>, next: string | undefined): Record<string, string> =>
  next === undefined ? {} : { link: `<${path}?${new URLSearchParams({ ...query, after: next })}>; rel="next"` };
