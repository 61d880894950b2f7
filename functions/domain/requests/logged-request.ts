import type { ReadRange } from "../filtered-page.ts";
import { filteredPage } from "../filtered-page.ts";
import { idAt } from "../ids.ts";
import { RECORD_RETENTION_MS } from "../limits.ts";
import type { Page } from "../ports.ts";
import type { LoggedBody } from "./redaction.ts";

/** A request in the log of its account. The log has no secrets: see redaction.ts. Times are milliseconds since 1970. */
export interface LoggedRequest {
  /** `req_…`, sorts by the time when the request arrived. */
  readonly id: string;
  readonly accountId: string;
  readonly at: number;
  /** The ID that the response contains as `X-Request-Id`. */
  readonly requestId: string;
  /** The API key. @default the request had a session */
  readonly keyId?: string;
  /** The ID of the operation. */
  readonly operation: string;
  readonly method: string;
  /** Without its query and download tokens. */
  readonly path: string;
  readonly status: number;
  /** The code of the error, of the request or of its job. */
  readonly code?: string;
  /** Until the response was complete, or its first byte was sent for a streamed one. */
  readonly durationMs: number;
  /** Bytes of the request's body. @default unknown: it was sent without its length */
  readonly bytesIn?: number;
  /** Bytes of the response's body. @default unknown: it was streamed */
  readonly bytesOut?: number;
  /** The job that the request created or named. */
  readonly jobId?: string;
  /** The JSON body of the response. @default it had none: a file, or nothing */
  readonly body?: LoggedBody;
}

/** Milliseconds that a request is kept. */
export const REQUEST_RETENTION_MS = RECORD_RETENTION_MS;

/** The requests of a list. Missing fields do not restrict it. */
export interface RequestFilter {
  /** The first digit of the status. */
  readonly statusClass?: 2 | 3 | 4 | 5;
  readonly code?: string;
  readonly keyId?: string;
  readonly operation?: string;
  readonly requestId?: string;
  readonly jobId?: string;
  /** Milliseconds since 1970. Requests of exactly this time are included. */
  readonly from?: number;
  /** Milliseconds since 1970. Requests of exactly this time are not included. */
  readonly to?: number;
}

export interface RequestQuery extends RequestFilter {
  readonly accountId: string;
  readonly limit: number;
  /** The exclusive start of the page: its newest ID. */
  readonly after?: string;
  /** Older requests than {@link REQUEST_RETENTION_MS} have expired, even if they are not deleted yet. */
  readonly now: number;
}

/** Stores requests. One contract test suite verifies every adapter. */
export interface RequestStore {
  /** Adds requests. Entries of accounts that do not exist may be left out. */
  add(entries: readonly LoggedRequest[]): Promise<void>;
  /** @returns a page, newest first */
  list(query: RequestQuery): Promise<Page<LoggedRequest>>;
  /** @returns the request; undefined if it does not exist, has expired, or belongs to another account */
  get(accountId: string, id: string, now: number): Promise<LoggedRequest | undefined>;
  /** Deletes at most `limit` requests of the account. @returns whether there may be more */
  erase(accountId: string, limit: number): Promise<boolean>;
}

/** The log of requests: never fails or delays a request for longer than a write that it awaits. */
export interface RequestLog extends Omit<RequestStore, "add"> {
  /** Records the request. Never throws. On AWS, resolves when it is stored or given up; on one machine, returns at once. */
  record(entry: LoggedRequest): Promise<void> | undefined;
}

/** Sorts after the IDs of all requests, which consist of letters and digits. */
const AFTER_ALL = "req_~";

/** @param read returns the newest `limit` entries of the range; fewer only if there are no more */
export const requestPage = (query: RequestQuery, read: ReadRange<LoggedRequest>): Promise<Page<LoggedRequest>> => {
  const { from = 0, to, after = AFTER_ALL, limit, now } = query;
  const end = to === undefined ? after : idAt("request", to);
  return filteredPage(
    {
      from: idAt("request", Math.max(from, now - REQUEST_RETENTION_MS)),
      before: end < after ? end : after,
      limit,
      matches: (entry) => matches(entry, query),
      isNarrow: [query.statusClass, query.code, query.keyId, query.operation, query.requestId, query.jobId].some(
        (value) => value !== undefined,
      ),
    },
    read,
  );
};

const matches = (entry: LoggedRequest, { statusClass, code, keyId, operation, requestId, jobId }: RequestFilter) =>
  (statusClass === undefined || Math.floor(entry.status / 100) === statusClass) &&
  (code === undefined || entry.code === code) &&
  (keyId === undefined || entry.keyId === keyId) &&
  (operation === undefined || entry.operation === operation) &&
  (requestId === undefined || entry.requestId === requestId) &&
  (jobId === undefined || entry.jobId === jobId);

/** @returns whether a stored request has expired */
export const isExpired = ({ at }: Pick<LoggedRequest, "at">, now: number): boolean => at < now - REQUEST_RETENTION_MS;
