import type { Problem } from "./api.ts";
import { AnyformError } from "./errors.ts";
import { ATTEMPTS_DEFAULT, pauseBefore, sleep } from "./retry.ts";
import { canWatch, sendWatched } from "./web-send.ts";

/** The service as the client reaches it. */
export interface ClientSettings {
  readonly apiKey?: string | undefined;
  /**
   * `same-origin`, on a page of the service's own host: the cookie of who is signed in goes along, in place of a key. It
   * goes to the base URL alone, like the key. @default `omit`
   */
  readonly credentials?: "omit" | "same-origin" | undefined;
  /** Where the service is, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string | URL;
  /** Attempts of one request. @default 10 */
  readonly attempts?: number | undefined;
  /** In place of the platform's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** One request; it may be sent several times, so it must be safe to repeat. */
export interface Call {
  readonly method?: "DELETE" | "GET" | "POST" | "PUT";
  /** Below the base URL, with the API key; a whole URL leads to a file store, which is never given the key. */
  readonly to: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each attempt. */
  readonly body?: () => NonNullable<RequestInit["body"]>;
  /** Seconds that the service may take before it answers, beside the time of the transfer. */
  readonly waitSeconds?: number;
  /** Bytes that are sent; a slow line is given time for them. */
  readonly bytes?: number;
  /** Hears, in a browser, of the bytes of each attempt that have left; what frames a form is counted too. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** A signal that ends the repetition, but lets an attempt that is on its way come back. */
  readonly lateSignal?: AbortSignal | undefined;
}

export interface Service {
  /** Sends until it is answered well, and reads the JSON of the answer. @throws AnyformError */
  json<Body>(call: Call): Promise<Body>;
  /** The same, without a body to read. */
  done(call: Call): Promise<void>;
  /** Sends once. Its body is still to be read. @throws AnyformError */
  once(call: Call): Promise<Response>;
  /** Repeats what may fail on the way. */
  repeat<Result>(attempt: () => Promise<Result>, call: Pick<Call, "lateSignal" | "signal">): Promise<Result>;
}

/** Seconds that the service is asked to wait for a change; a request may take 30 in all. */
export const WAIT_SECONDS = 25;

/** @returns a new one, which all attempts of one request bear. `randomUUID` is not there on pages without TLS. */
export const idempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const SECOND_MS = 1_000;
/** Seconds of an attempt without its transfer: HTTP APIs on AWS end a request at 30. */
const ANSWER_SECONDS_MAX = 60;
/** 14 kB a second is the slowest line that a part of 50 MB gets through in the hour that its URL holds. */
const SLOWEST_BYTES_PER_SECOND = 14_000;
/** Of an answer that is no problem of ours: a proxy's page says enough in its beginning. */
const SHOWN_CHARACTERS_MAX = 200;

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
  const seconds = ANSWER_SECONDS_MAX + (call.waitSeconds ?? 0) + (call.bytes ?? 0) / SLOWEST_BYTES_PER_SECOND;
  const timeout = AbortSignal.timeout(Math.ceil(seconds * SECOND_MS));
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  const response = await transfer(settings, call, { url, signal }).catch((cause: unknown) => {
    throw notReachable(url, cause);
  });
  if (!response.ok) {
    throw await refusal(response, url);
  }
  return response;
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
    ...(own && settings.apiKey !== undefined && { authorization: `Bearer ${settings.apiKey}` }),
    ...(call.waitSeconds && { prefer: `wait=${call.waitSeconds}` }),
    ...call.headers,
  };
  // What is watched follows redirects, so it must not have a key with it.
  const watched = settings.fetch === undefined && settings.apiKey === undefined && canWatch();
  if (call.onSent && watched) {
    return sendWatched(url, { method, headers, body: call.body?.() ?? null, signal, onSent: call.onSent });
  }
  return (settings.fetch ?? fetch)(url, {
    method,
    headers,
    // The key goes to the base URL alone, wherever an answer may point.
    redirect: own ? "manual" : "follow",
    credentials,
    signal,
    ...(call.body && { body: call.body() }),
  });
};

const urlOf = ({ baseUrl }: ClientSettings, { to }: Call): URL =>
  typeof to === "string" ? new URL(`${String(baseUrl).replace(/\/+$/, "")}/api/v1/${to}`) : to;

const notReachable = (url: URL, cause: unknown): AnyformError =>
  new AnyformError({
    code: "not_reachable",
    detail: `${url.origin} was not reached: ${reasonOf(cause)}.`,
    retryable: true,
    cause,
  });

/** Node says `fetch failed`, and in the cause why. */
const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
};

/** @throws AnyformError for a body that broke off, or is no JSON: as a failed attempt, since the answer was good */
const readJson = async <Body>(response: Response, url: URL): Promise<Body> => {
  const text = await response.text().catch((cause: unknown) => {
    throw notReachable(url, cause);
  });
  try {
    // The OpenAPI document tells the type of what its service answers.
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw new AnyformError({ ...unexpected(response, url, text), cause });
  }
};

const drain = async (response: Response): Promise<void> => {
  await response.body?.cancel().catch(() => undefined);
};

/** @returns the error that the answer tells of */
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
  detail: `${url.origin} answered ${response.status} with what is not Anyform's: ${text.slice(0, SHOWN_CHARACTERS_MAX)}`,
  status: response.status,
  requestId: response.headers.get("x-request-id") ?? undefined,
  retryable: response.status >= 500,
});

const secondsOf = (text: string | null): number | undefined => {
  const seconds =
    text === null ? Number.NaN : /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};
