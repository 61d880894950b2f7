import type { Schemas } from "../../api.ts";
import { queryOf } from "../../ui/paging.ts";
import { periodOf } from "../../ui/period.ts";

export type LoggedRequest = Schemas["LoggedRequest"];
export type RequestDetails = Schemas["RequestDetail"];

/** The filter by status. */
export const statusFilters = ["all", "2xx", "3xx", "4xx", "5xx"] as const;

const PAGE_ITEMS = "20";

/** @returns the API's path for the list that the page's query describes */
export const listPath = (query: URLSearchParams, after: string | undefined): string => {
  const status = statusFilters.find((each) => each === query.get("status"));
  return `requests${queryOf({
    limit: PAGE_ITEMS,
    after,
    status_class: status === "all" ? undefined : status,
    key_id: query.get("key") ?? undefined,
    ...searchOf(query.get("search") ?? ""),
    ...periodOf(query),
  })}`;
};

/** @returns the API's parameter for a text that is an ID, an error code or an operation */
const searchOf = (text: string): Readonly<Record<string, string>> => {
  if (text === "") {
    return {};
  }
  if (/^job_\w+$/.test(text)) {
    return { job_id: text };
  }
  // Error codes are words with underscores, operations are in camel case, request IDs have digits and signs.
  if (/^[a-z]+(?:_[a-z]+)+$/.test(text)) {
    return { error_code: text };
  }
  return /^[a-z]+[A-Z][A-Za-z]*$/.test(text) ? { operation: text } : { request_id: text };
};

/** @returns the JSON with line breaks; a truncated one as it is */
export const readableBody = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
};

/** @returns the tone of a status: success and redirects, errors of the client, errors of the service */
export const toneOf = (status: number): "bad" | "good" | "warning" => {
  if (status < 400) {
    return "good";
  }
  return status < 500 ? "warning" : "bad";
};
