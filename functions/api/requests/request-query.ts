import type { RequestFilter } from "../../domain/requests/logged-request.ts";
import { idIn, keyNamed, refuseParameter, timeOf } from "../middleware/query-fields.ts";
import type { ApiRequest } from "../request.ts";

/** The query parameters that filter the request log. */
export const REQUEST_FILTERS = [
  "status_class",
  "error_code",
  "key_id",
  "operation",
  "request_id",
  "listed_job",
  "created_after",
  "created_before",
] as const;

/**
 * @returns the filter in the query of the request
 * @throws RequestError `invalid_request`
 */
export const requestFilterOf = ({ query }: ApiRequest<unknown>): RequestFilter => {
  const { status_class, error_code, key_id, operation, request_id, job_id, created_after, created_before } = query;
  return {
    ...(status_class !== undefined && { statusClass: classNamed(status_class) }),
    ...(error_code !== undefined && { code: word("error_code", error_code) }),
    ...(key_id !== undefined && { keyId: keyNamed(key_id) }),
    ...(operation !== undefined && { operation: word("operation", operation) }),
    ...(request_id !== undefined && { requestId: requestIdIn(request_id) }),
    ...(job_id !== undefined && { jobId: idIn("job_id", "job", job_id) }),
    ...(created_after !== undefined && { from: timeOf("created_after", created_after) }),
    ...(created_before !== undefined && { to: timeOf("created_before", created_before) }),
  };
};

const CLASSES = { "2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5 } as const;

const classNamed = (text: string): NonNullable<RequestFilter["statusClass"]> =>
  Object.hasOwn(CLASSES, text)
    ? CLASSES[text as keyof typeof CLASSES]
    : refuseParameter("status_class", `must be one of ${Object.keys(CLASSES).join(", ")}.`);

/** Codes and operations of other releases are valid, but match nothing. */
const word = (name: "error_code" | "operation", text: string): string =>
  /^\w{1,64}$/.test(text) ? text : refuseParameter(name, "must have 1 to 64 letters, digits or underscores.");

const requestIdIn = (text: string): string =>
  /^[\w=+/-]{1,128}$/.test(text) ? text : refuseParameter("request_id", "must be the `X-Request-Id` of a response.");
