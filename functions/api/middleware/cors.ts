import { headers } from "../openapi/headers.ts";
import type { Method, Route } from "../operation.ts";

/**
 * Cross-origin requests (Fetch Standard, 3.2). Pages of any origin may call the API with an API key. Cookies are never
 * sent with such requests, because `Access-Control-Allow-Credentials` is not set.
 */

/** Operations below this path read or set the session cookie. */
const SESSION_PATH = "/api/v1/session";

const EXPOSED = ["Allow", ...Object.keys(headers).filter((name) => name !== "Set-Cookie")].join(", ");

/** Request headers that need permission. `*` does not include `Authorization` (Fetch Standard, 4.10). */
const ALLOWED = "Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, Prefer, Range";

/** Two hours, the maximum of Chromium. */
const PREFLIGHT_SECONDS = 7_200;

/** Headers of every response that pages of other origins may read. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
} as const;

/**
 * @param origin the only origin whose pages may read the response
 * @returns the headers that replace those of a response that all pages may read
 */
export const originHeaders = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  // Caches must not return the response to pages of other origins.
  vary: "origin",
});

/** @returns the headers of the response to a preflight request */
export const preflightHeaders = (methods: readonly Method[]): Record<string, string> => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers": ALLOWED,
  "access-control-max-age": String(PREFLIGHT_SECONDS),
});

/** @returns whether pages of other origins may read responses of the route for this path */
export const allowsOrigins = ({ auth }: Pick<Route, "auth">, path: string): boolean =>
  auth !== "session" && path !== SESSION_PATH && !path.startsWith(`${SESSION_PATH}/`);
