import type { MiddlewareObj } from "@middy/core";
import { bearerKey, checkScope, hashApiKey, isTestKey, usableKey } from "../../domain/keys.ts";
import type { Answer, ApiEvent, ApiResult } from "../request.ts";
import { exchangeOf } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/**
 * Tells whose request it is, by one consistent read of the key's SHA-256. Nothing is cached, so a key that is revoked
 * is refused from the next request on.
 */
export const authenticate = (route: Pick<ApiRoute, "auth" | "scope">): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    if (route.auth === "none") {
      return;
    }
    const exchange = exchangeOf(event);
    const { context, request } = exchange;
    const { hash } = hashApiKey(bearerKey(request.headers.authorization));
    const key = usableKey(await context.accounts.findKey(hash), request.now);
    if (route.scope !== undefined) {
      checkScope(key, route.scope);
    }
    exchange.request = { ...request, accountId: key.accountId, isTest: isTestKey(key) };
  },
});
