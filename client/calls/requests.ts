import type { LoggedRequest, LoggedRequestList, RequestDetail } from "../api.ts";
import type { Service } from "../http/request.ts";
import { itemsOf, type PageFilter, queryOf } from "./query.ts";

/** A filter of the request log. */
export interface RequestFilter extends PageFilter {
  readonly statusClass?: "2xx" | "3xx" | "4xx" | "5xx" | undefined;
  /** Error code of the response, such as `quota_exceeded`. */
  readonly errorCode?: string | undefined;
  /** ID of the API key. */
  readonly keyId?: string | undefined;
  /** ID of an operation, such as `createJob`. */
  readonly operation?: string | undefined;
  /** `X-Request-Id` of a response. */
  readonly requestId?: string | undefined;
  readonly jobId?: string | undefined;
  /** Requests from this time on, for example `2026-11-22T09:30:00Z` or `2026-11-22`. */
  readonly createdAfter?: string | undefined;
  /** Requests before this time. */
  readonly createdBefore?: string | undefined;
}

/** The requests of the account in the last 30 days, including refused ones. */
export interface Requests {
  /** @returns a page of requests, newest first */
  list(filter?: RequestFilter): Promise<LoggedRequestList>;
  /** @returns all requests, newest first. Pages are requested as they are read */
  all(filter?: RequestFilter): AsyncGenerator<LoggedRequest, void, undefined>;
  /** @returns a request with the body of its response, without secrets. @param id `id` of a listed request */
  get(id: string): Promise<RequestDetail>;
}

export const requestsOf = (service: Service): Requests => {
  const list: Requests["list"] = (filter = {}) => service.json({ to: `requests${queryOf(filter)}` });
  return {
    list,
    all: (filter = {}) =>
      itemsOf(
        (after) => list({ ...filter, after }),
        ({ requests }) => requests,
        filter.after,
      ),
    get: (id) => service.json({ to: `requests/${encodeURIComponent(id)}` }),
  };
};
