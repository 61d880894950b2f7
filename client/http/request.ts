import type { Problem } from "../api.ts";
import { canWatch, sendWatched } from "../transfer/web-send.ts";
import { AnyformError } from "./errors.ts";
import { ATTEMPTS_DEFAULT, pauseBefore, sleep } from "./retry.ts";

/** Settings of requests. Settings of a call take precedence over those of the client. */
export interface RequestSettings {
  /** Attempts per request. @default 10 */
  readonly attempts?: number | undefined;
  /** Seconds until an attempt times out, in addition to its transfer and to the time that it waits for a job. @default 60 */
  readonly timeoutSeconds?: number | undefined;
  /** Further headers, sent to the base URL only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An attempt of a request, for logs. */
export interface RequestReport {
  readonly method: string;
  /** Without the query, and without a download token. */
  readonly url: string;
  readonly milliseconds: number;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly requestId?: string | undefined;
}

/** Connection settings of the client. */
export interface ClientSettings extends RequestSettings {
  readonly apiKey?: string | undefined;
  /**
   * `same-origin` authenticates with the session cookie instead of a key, on pages of the service's host. Like the key,
   * the cookie is only sent to the base URL. @default `omit`
   */
  readonly credentials?: "omit" | "same-origin" | undefined;
  /** URL of the service, for example `http://127.0.0.1:8080`, with or without `/api/v1`. */
  readonly baseUrl: string | URL;
  /** Called after each attempt of a request. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /**
   * Largest file in bytes that is sent with its conversion in one request; larger ones are uploaded first, and can be
   * resumed. One machine accepts 5 GB in a request. @default 4,500,000, which all deployments accept
   */
  readonly singleCallBytesMax?: number | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** One request; it may be sent several times, so it must be safe to repeat. */
export interface Call {
  readonly method?: "DELETE" | "GET" | "POST" | "PUT";
  /** A path relative to the base URL, sent with the API key, or a URL of a file store, which never receives the key. */
  readonly to: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Created for each attempt. */
  readonly body?: () => NonNullable<RequestInit["body"]>;
  /** Seconds that the service may take to respond, in addition to the transfer time. */
  readonly waitSeconds?: number;
  /** Instead of the settings' timeout. */
  readonly timeoutSeconds?: number;
  /** Whether a redirect is returned; in browsers without its headers. @default it is an error */
  readonly acceptsRedirect?: boolean;
  /** Bytes of the transfer, which extend the timeout for slow connections. */
  readonly bytes?: number;
  /** In a browser, receives the number of bytes sent in each attempt, including the framing of a form. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** A signal that stops retries but does not abort the current attempt. */
  readonly lateSignal?: AbortSignal | undefined;
}

export interface Service {
  /** Sends the request, with retries, and parses the JSON response. @throws AnyformError */
  json<Body>(call: Call): Promise<Body>;
  /** The same, but ignores the response body. */
  done(call: Call): Promise<void>;
  /** Sends once and returns the response with its body unread. @throws AnyformError */
  once(call: Call): Promise<Response>;
  /** Retries transient failures. */
  repeat<Result>(attempt: () => Promise<Result>, call: Pick<Call, "lateSignal" | "signal">): Promise<Result>;
}

/** Seconds that the service waits for a change. A request may take 30 seconds in total. */
export const WAIT_SECONDS = 25;

/** @returns a new key for all attempts of one request. `randomUUID` is not available on pages without TLS. */
export const idempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const SECOND_MS = 1_000;
/** Timeout of an attempt, without its transfer. HTTP APIs on AWS end a request after 30 seconds. */
const ANSWER_SECONDS_MAX = 60;
/** At 14 kB/s, a part of 50 MB just completes within the hour that its URL is valid. */
const SLOWEST_BYTES_PER_SECOND = 14_000;
/** Characters shown of a response that is not from Anyform, such as a proxy's error page. */
const SHOWN_CHARACTERS_MAX = 200;

/** @returns the service with the settings of a call */
export const serviceFor = (settings: ClientSettings, { attempts, timeoutSeconds, headers }: RequestSettings): Service =>
  serviceAt({
    ...settings,
    ...(attempts !== undefined && { attempts }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(headers && { headers: { ...settings.headers, ...headers } }),
  });

export const serviceAt = (settings: ClientSettings): Service => {
  const attemptsMax = settings.attempts ?? ATTEMPTS_DEFAULT;
  const once = (call: Call): Promise<Response> => send(settings, call);
  const repeat: Service["repeat"] = async (attempt, { signal, lateSignal }) => {
    for (let number = 1; ; number += 1) {
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        const pause = pauseBefore(error, { attempt: number, attemptsMax, random: Math.random() });
        if (pause === undefined) {
          throw error;
        }
        await sleep(pause, signal ?? lateSignal);
      }
    }
  };
  return {
    once,
    repeat,
    json: (call) => repeat(async () => readJson(await once(call), urlOf(settings, call)), call),
    done: (call) => repeat(async () => void (await drain(await once(call))), call),
  };
};

const send = async (settings: ClientSettings, call: Call): Promise<Response> => {
  call.signal?.throwIfAborted();
  const url = urlOf(settings, call);
  const answerSeconds = call.timeoutSeconds ?? settings.timeoutSeconds ?? ANSWER_SECONDS_MAX;
  const seconds = answerSeconds + (call.waitSeconds ?? 0) + (call.bytes ?? 0) / SLOWEST_BYTES_PER_SECOND;
  const timeout = AbortSignal.timeout(Math.ceil(seconds * SECOND_MS));
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  const report = reporter(settings, call, url);
  const response = await transfer(settings, call, { url, signal }).catch((cause: unknown) => {
    report();
    throw notReachable(url, cause);
  });
  report(response);
  if (!response.ok && !(call.acceptsRedirect && isRedirect(response))) {
    throw await refusal(response, url);
  }
  return response;
};

const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);

const reporter = ({ onRequest }: ClientSettings, { method = "GET" }: Call, url: URL) => {
  const start = Date.now();
  const path = url.pathname.replace(/(\/download\/).+/, "$1…");
  return (response?: Response): void =>
    onRequest?.({
      method,
      url: `${url.origin}${path}`,
      milliseconds: Date.now() - start,
      status: response?.status ?? 0,
      requestId: response?.headers.get("x-request-id") ?? undefined,
    });
};

const transfer = (
  settings: ClientSettings,
  call: Call,
  { url, signal }: { readonly url: URL; readonly signal: AbortSignal },
): Promise<Response> => {
  const own = typeof call.to === "string";
  const credentials = own ? (settings.credentials ?? "omit") : "omit";
  const method = call.method ?? "GET";
  const headers = {
    ...(own && settings.headers),
    ...(own && settings.apiKey !== undefined && { authorization: `Bearer ${settings.apiKey}` }),
    ...(call.waitSeconds && { prefer: `wait=${call.waitSeconds}` }),
    ...call.headers,
  };
  // XMLHttpRequest follows redirects, so it must not be used with a key.
  const watched = settings.fetch === undefined && settings.apiKey === undefined && canWatch();
  if (call.onSent && watched) {
    return sendWatched(url, { method, headers, body: call.body?.() ?? null, signal, onSent: call.onSent });
  }
  return (settings.fetch ?? fetch)(url, {
    method,
    headers,
    // The key is only sent to the base URL, wherever a redirect points.
    redirect: own ? "manual" : "follow",
    credentials,
    signal,
    ...(call.body && { body: call.body() }),
  });
};

const urlOf = ({ baseUrl }: ClientSettings, { to }: Call): URL =>
  typeof to === "string" ? new URL(`${String(baseUrl).replace(/(?:\/+api\/v1)?\/*$/, "")}/api/v1/${to}`) : to;

const notReachable = (url: URL, cause: unknown): AnyformError =>
  new AnyformError({
    code: "not_reachable",
    detail: `Cannot reach ${url.origin}: ${reasonOf(cause)}.`,
    retryable: true,
    cause,
  });

/** Node throws `fetch failed`, with the reason as its cause. */
const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
};

/** @throws AnyformError for a truncated or invalid JSON body, which counts as a failed attempt */
const readJson = async <Body>(response: Response, url: URL): Promise<Body> => {
  const text = await response.text().catch((cause: unknown) => {
    throw notReachable(url, cause);
  });
  try {
    // The OpenAPI document defines the type of the response.
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw new AnyformError({ ...unexpected(response, url, text), cause });
  }
};

const drain = async (response: Response): Promise<void> => {
  await response.body?.cancel().catch(() => undefined);
};

/** @returns the error that the response describes */
const refusal = async (response: Response, url: URL): Promise<AnyformError> => {
  const text = await response.text().catch(() => "");
  const retryAfter = secondsOf(response.headers.get("retry-after"));
  const problem = problemIn(text);
  if (problem === undefined) {
    return new AnyformError({ ...unexpected(response, url, text), retryAfter });
  }
  return new AnyformError({
    code: problem.code,
    detail: problem.detail,
    status: response.status,
    requestId: problem.request_id,
    retryable: problem.retryable,
    errors: problem.errors,
    supportedTargets: problem.supported_targets,
    jobId: problem.job_id,
    retryAfter,
  });
};

const problemIn = (text: string): Problem | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    const fits = typeof value === "object" && value !== null && "code" in value && "detail" in value;
    return fits ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
};

const unexpected = (response: Response, url: URL, text: string) => ({
  code: response.ok || response.status >= 500 ? "unexpected_answer" : `http_${response.status}`,
  detail: `Unexpected response from ${url.origin} (status ${response.status}): ${text.slice(0, SHOWN_CHARACTERS_MAX)}`,
  status: response.status,
  requestId: response.headers.get("x-request-id") ?? undefined,
  retryable: response.status >= 500,
});

const secondsOf = (text: string | null): number | undefined => {
  const seconds =
    text === null ? Number.NaN : /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};
