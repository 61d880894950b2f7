import type { components } from "../client/api-types.ts";

/** The service as the pages reach it: the public interface, with the session's cookie. Types come from its OpenAPI document. */
export type Schemas = components["schemas"];

/** A request that was refused, or never answered. */
export class ApiProblem extends Error {
  /** The code of the service's table; `not_reachable` when there was no answer, `unexpected_answer` for one that is not ours. */
  readonly code: string;
  /** 0 when there was no answer. */
  readonly status: number;
  /** What is wrong where, by JSON pointer. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  readonly requestId: string | undefined;
  /** Seconds to wait before the same may succeed. */
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

const ANSWER_MS_MAX = 60_000;

/** Tells of answers that say that nobody is signed in: `signed-out`. */
export const refusals = new EventTarget();

const UNAUTHORIZED = 401;

interface CallExtra {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** An account may make so many requests a second: one too many was not looked at, and is made again. */
const BURST_SECONDS_MAX = 2;
const TRIES_MAX = 5;

/**
 * @param path below `/api/v1/`, for example `keys`
 * @returns the body of a good answer; undefined for one without a body
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
    signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS_MAX), ...(signal ? [signal] : [])]),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new ApiProblem({ code: "not_reachable", detail: cause instanceof Error ? cause.message : String(cause) });
  });
  const text = await response.text();
  if (!response.ok) {
    if (response.status === UNAUTHORIZED) {
      refusals.dispatchEvent(new Event("signed-out"));
    }
    throw problemOf(response, text);
  }
  // The types of answers are made from the document of the same service.
  return (text === "" ? undefined : JSON.parse(text)) as Body;
};

export const api = {
  /** @param signal breaks it off: it is then `not_reachable` */
  get: <Body>(path: string, signal?: AbortSignal): Promise<Body> => call("GET", path, { ...(signal && { signal }) }),
  post: <Body>(path: string, body?: unknown): Promise<Body> => call("POST", path, { body: body ?? {} }),
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
    return new ApiProblem({ ...more, detail: `The service answered ${status}.` });
  }
};
