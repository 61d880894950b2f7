import type { MiddlewareObj } from "@middy/core";
import { RequestError } from "../../domain/errors.ts";
import { bearerKey, checkScope, hashApiKey, isTestKey, usableKey } from "../../domain/keys.ts";
import { currentSession } from "../current-session.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, Exchange } from "../request.ts";
import { exchangeOf } from "../request.ts";
import type { ApiRoute } from "../routes.ts";
import { checkSameOrigin } from "../same-origin.ts";
import { sessionCookie } from "../session-cookie.ts";

type Asked = Pick<ApiRoute, "auth" | "scope" | "visitors">;

/** Whose request it is. */
type Owner = Pick<ApiRequest, "accountId" | "isTest" | "keyId" | "session">;

/**
 * Tells whose request it is: by an API key, or by the session of who is signed in. Either takes one consistent read by a
 * SHA-256. Nothing of it is cached, so a key that is revoked and a session that was ended are refused from the next
 * request on. A request with an `Authorization` header is never taken for one of the session that came along.
 */
export const authenticate = (route: Asked): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    if (route.auth === "none") {
      return;
    }
    const exchange = exchangeOf(event);
    exchange.request = { ...exchange.request, ...(await ownerOf(exchange, route)) };
  },
});

const ownerOf = (exchange: Exchange, route: Asked): Promise<Owner> => {
  const { request } = exchange;
  const withKey = request.headers.authorization !== undefined || sessionCookie(request) === undefined;
  return route.auth === "key" && withKey ? keyOwner(exchange, route) : sessionOwner(exchange, route);
};

const keyOwner = async ({ context, request }: Exchange, { scope }: Asked): Promise<Owner> => {
  const { hash } = hashApiKey(bearerKey(request.headers.authorization));
  const key = usableKey(await context.accounts.findKey(hash), request.now);
  if (scope !== undefined) {
    checkScope(key, scope);
  }
  return { accountId: key.accountId, keyId: key.id, isTest: isTestKey(key) };
};

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const sessionOwner = async ({ context, request }: Exchange, { visitors }: Asked): Promise<Owner> => {
  const session = await currentSession(context, request);
  if (session === undefined) {
    throw new RequestError("missing_session", "Nobody is signed in here, or the session has ended. Sign in again.");
  }
  if (session.by === "visitor" && visitors !== true) {
    throw new RequestError("missing_session", "This is for accounts: sign in with your e-mail address.");
  }
  if (!SAFE_METHODS.has(request.method)) {
    checkSameOrigin(request);
  }
  return { accountId: session.accountId, session, isTest: false };
};
