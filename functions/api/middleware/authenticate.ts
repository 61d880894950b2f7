import type { MiddlewareObj } from "@middy/core";
import {
  type ApiKey,
  bearerKey,
  checkOrigin,
  checkScope,
  hashApiKey,
  isTestKey,
  keyLimitOf,
  usableKey,
} from "../../domain/accounts/keys.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Route } from "../operation.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, Exchange } from "../request.ts";
import { exchangeOf } from "../request.ts";
import { currentSession } from "../sign-in/current-session.ts";
import { sessionCookie } from "../sign-in/session-cookie.ts";
import { originHeaders } from "./cors.ts";
import { checkSameOrigin } from "./same-origin.ts";

type Requirements = Pick<Route, "auth" | "scope" | "visitors">;

/** The owner of a request. */
type Owner = Pick<ApiRequest, "accountId" | "isTest" | "keyId" | "keyLimit" | "session">;

/**
 * Identifies the owner of a request by an API key or by a session. Either takes one consistent read by SHA-256, so
 * revoked keys and ended sessions are rejected from the next request on. A request with an
 * `Authorization` header is never authenticated by a session cookie.
 */
export const authenticate = (route: Requirements): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    if (route.auth === "none") {
      return;
    }
    const exchange = exchangeOf(event);
    exchange.request = { ...exchange.request, ...(await ownerOf(exchange, route)) };
  },
});

const ownerOf = (exchange: Exchange, route: Requirements): Promise<Owner> => {
  const { request } = exchange;
  const withKey = request.headers.authorization !== undefined || sessionCookie(request) === undefined;
  return route.auth === "key" && withKey ? keyOwner(exchange, route) : sessionOwner(exchange, route);
};

const keyOwner = async (exchange: Exchange, { scope }: Requirements): Promise<Owner> => {
  const { context, request } = exchange;
  const { hash } = hashApiKey(bearerKey(request.headers.authorization));
  const found = await context.accounts.findKey(hash);
  if (found !== undefined) {
    exchange.caller = { accountId: found.accountId, keyId: found.id };
  }
  const key = usableKey(found, request.now);
  allowOrigin(exchange, key);
  if (scope !== undefined) {
    checkScope(key, scope);
  }
  const keyLimit = keyLimitOf(key);
  return { accountId: key.accountId, keyId: key.id, isTest: isTestKey(key), ...(keyLimit && { keyLimit }) };
};

/**
 * The response to a key with a list of origins names the page's origin, which is an allowed one: pages of other origins can
 * only read that they are not. Preflight requests have no key, so they are answered as for all keys.
 *
 * @throws RequestError `forbidden_origin`
 */
const allowOrigin = ({ request, headers }: Exchange, key: ApiKey): void => {
  const { origin } = request.headers;
  if (key.origins !== undefined && origin !== undefined) {
    Object.assign(headers, originHeaders(origin));
    checkOrigin(key, origin);
  }
};

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const sessionOwner = async (exchange: Exchange, { visitors }: Requirements): Promise<Owner> => {
  const { context, request } = exchange;
  const session = await currentSession(context, request);
  if (session === undefined) {
    throw new RequestError("missing_session", "Not signed in, or the session has ended. Sign in again.");
  }
  if (session.by === "visitor" && visitors !== true) {
    throw new RequestError("missing_session", "This requires an account. Sign in with your email address.");
  }
  if (session.by !== "visitor") {
    exchange.caller = { accountId: session.accountId };
  }
  if (!SAFE_METHODS.has(request.method)) {
    checkSameOrigin(request);
  }
  return { accountId: session.accountId, session, isTest: false };
};
