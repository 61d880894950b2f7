import type { MiddlewareObj } from "@middy/core";
import { RequestError } from "../../domain/errors.ts";
import { quotaClaim, quotaExceeded, quotaHeaders } from "../../domain/quotas.ts";
import type { Answer, ApiEvent, ApiResult } from "../request.ts";
import { exchangeOf } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/**
 * Prepares the count of a metered request, and tells the client where it stands. The count itself is taken by the
 * operation, in one transaction with its effect: so a refused request counts nothing, and no crash in between loses or
 * gains one. An account that has used up its month is refused here, before a body is read.
 */
export const meter = (route: Pick<ApiRoute, "metered">): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    const exchange = exchangeOf(event);
    const { context, request } = exchange;
    if (!route.metered || request.method === "HEAD") {
      return;
    }
    const account = await context.accounts.getAccount(request.accountId);
    if (account === undefined) {
      throw new RequestError("invalid_api_key", "The account of this API key is closed.");
    }
    const claim = quotaClaim(account, request.now);
    const used = await context.quotas.used(claim.accountId, claim.month);
    exchange.request = { ...request, claim };
    Object.assign(exchange.headers, quotaHeaders(claim, used, request.now));
    // A repeated request may have been counted already; the operation's own transaction tells.
    if (used >= claim.limit && request.headers["idempotency-key"] === undefined) {
      throw quotaExceeded(claim, request.now);
    }
  },
  after: async ({ event }) => {
    const { context, request, headers } = exchangeOf(event);
    const { claim, now } = request;
    if (claim !== undefined) {
      Object.assign(headers, quotaHeaders(claim, await context.quotas.used(claim.accountId, claim.month), now));
    }
  },
});
