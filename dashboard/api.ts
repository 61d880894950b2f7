import type { components } from "../client/api-types.ts";

/** The client of the pages: it calls the public API with the session's cookie. Types come from the OpenAPI document. */
export type Schemas = components["schemas"];

/** A request that was rejected, or got no response. */
export class ApiProblem extends Error {
  /** The service's error code; `not_reachable` without a response, `unexpected_answer` if another server responded. */
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** What is wrong, by JSON pointer. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(problem: Partial<Omit<ApiProblem, "message">> & { readonly detail: string }) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.code = problem.code ?? "unexpected_answer";
    this.status = problem.status ?? 0;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfter = problem.retryAfter;
  }
}

const RESPONSE_MS_MAX = 60_000;

/** Emits `signed-out` when a response says that nobody is signed in. */
export const sessionEvents = new EventTarget();

const UNAUTHORIZED = 401;

interface CallExtra {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Bursts above the account's rate limit were rejected without being processed, so they are retried. */
const BURST_SECONDS_MAX = 2;
const TRIES_MAX = 5;

/**
 * @param path relative to `/api/v1/`, for example `keys`
 * @returns the body of a successful response; undefined if it is empty
 * @throws ApiProblem
 */
const call = async <Body>(method: string, path: string, extra: CallExtra = {}, tries = 1): Promise<Body> => {
  try {
    return await once<Body>(method, path, extra);
  } catch (error) {
    const seconds = error instanceof ApiProblem && error.code === "rate_limited" ? error.retryAfter : undefined;
    if (seconds === undefined || seconds > BURST_SECONDS_MAX || tries >= TRIES_MAX || extra.signal?.aborted) {
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return call(method, path, extra, tries + 1);
  }
};

const once = async <Body>(method: string, path: string, { body, signal }: CallExtra = {}): Promise<Body> => {
  const response = await fetch(`/api/v1/${path}`, {
    method,
    credentials: "same-origin",
    headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
    signal: AbortSignal.any([AbortSignal.timeout(RESPONSE_MS_MAX), ...(signal ? [signal] : [])]),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new ApiProblem({ code: "not_reachable", detail: cause instanceof Error ? cause.message : String(cause) });
  });
  const text = await response.text();
  if (!response.ok) {
    if (response.status === UNAUTHORIZED) {
      sessionEvents.dispatchEvent(new Event("signed-out"));
    }
    throw problemOf(response, text);
  }
  // The types of responses are generated from the same service's OpenAPI document.
  return (text === "" ? undefined : JSON.parse(text)) as Body;
};

export const api = {
  /** @param signal aborts the request, which then fails with `not_reachable` */
  get: <Body>(path: string, signal?: AbortSignal): Promise<Body> => call("GET", path, { ...(signal && { signal }) }),
  post: <Body>(path: string, body?: unknown): Promise<Body> => call("POST", path, { body: body ?? {} }),
  put: <Body>(path: string, body: unknown): Promise<Body> => call("PUT", path, { body }),
  remove: <Body = void>(path: string): Promise<Body> => call("DELETE", path),
};

const problemOf = (response: Response, text: string): ApiProblem => {
  const { status } = response;
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const more = { status, ...(Number.isFinite(retryAfter) && { retryAfter }) };
  try {
    const { code, detail, errors, request_id: requestId } = JSON.parse(text) as Schemas["Problem"];
    return new ApiProblem({ ...more, code, detail, errors: errors ?? [], requestId });
  } catch {
    return new ApiProblem({ ...more, detail: `The service responded with status ${status}.` });
  }
};
