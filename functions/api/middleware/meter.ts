import type { MiddlewareObj } from "@middy/core";
import { RequestError } from "../../domain/errors.ts";
import { type Account, plans } from "../../domain/plans.ts";
import { burstExceeded, burstHeaders, quotaClaim, quotaExceeded, quotaHeaders } from "../../domain/quotas.ts";
import { asError, logger } from "../../logger.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, Exchange } from "../request.ts";
import { exchangeOf, requestKeys } from "../request.ts";
import type { ApiRoute } from "../routes.ts";

/**
 * Holds an account to its requests a second, prepares the count of a metered request, and tells the client where it
 * stands. The count itself is taken by the operation, in one transaction with its effect: so a refused request counts
 * nothing, and no crash in between loses or gains one. An account that has used up its month is refused here, before a
 * body is read.
 */
export const meter = (route: Pick<ApiRoute, "auth" | "metered">): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  before: async ({ event }) => {
    const exchange = exchangeOf(event);
    const { context, request } = exchange;
    if (route.auth === "none") {
      return;
    }
    const account = await context.accounts.getAccount(request.accountId);
    if (account === undefined) {
      throw closed(request);
    }
    exchange.request = { ...request, account };
    await noteKey(exchange);
    await holdToBurst(exchange, account);
    if (route.metered === undefined || request.method === "HEAD" || request.isTest) {
      return;
    }
    const claim = quotaClaim(account, request.now, route.metered);
    const used = await context.quotas.used(claim.accountId, claim.month);
    exchange.request = { ...request, account, claim };
    tell(exchange, used);
    // A repeated request may have been counted already; the operation's own transaction tells.
    if (used >= claim.limit && request.headers["idempotency-key"] === undefined) {
      throw quotaExceeded(claim, request.now);
    }
  },
  after: async ({ event }) => {
    const exchange = exchangeOf(event);
    const { claim } = exchange.request;
    if (claim === undefined) {
      return;
    }
    try {
      tell(exchange, await exchange.context.quotas.used(claim.accountId, claim.month));
    } catch (error) {
      // What was accepted and counted must not be answered as a failure: its headers tell the count of a moment ago.
      logger.warn("the count was not read", { ...requestKeys(exchange.request), error: asError(error) });
    }
  },
});

/** When a key was used last is a courtesy: a disk that takes no more of it still has results to read. */
const noteKey = async ({ context, request }: Exchange): Promise<void> => {
  if (request.keyId === undefined) {
    return;
  }
  try {
    await context.keyUses.note(request.accountId, request.keyId, request.now);
  } catch (error) {
    logger.warn("the use of a key was not noted", { ...requestKeys(request), error: asError(error) });
  }
};

const closed = ({ session }: ApiRequest): RequestError =>
  session === undefined
    ? new RequestError("invalid_api_key", "The account of this API key is closed.")
    : new RequestError("missing_session", "The account of this session is closed.");

const holdToBurst = async ({ context, request, headers }: Exchange, account: Account): Promise<void> => {
  const { requestsPerSecond } = plans[account.plan];
  if (requestsPerSecond === undefined) {
    return;
  }
  const left = await context.bursts.take(account.id, request.now, requestsPerSecond);
  Object.assign(headers, burstHeaders(requestsPerSecond, left));
  if (left < 0) {
    throw burstExceeded(requestsPerSecond);
  }
};

/** Both limits stand in one header, each by its name. */
const tell = ({ headers, request }: Exchange, used: number): void => {
  const { claim, now } = request;
  if (claim === undefined) {
    return;
  }
  const month = quotaHeaders(claim, used, now);
  const burst = (name: string): string | undefined =>
    headers[name]?.split(", ").find((part) => part.startsWith('"burst"'));
  const both = ["ratelimit", "ratelimit-policy"].map((name) => [
    name,
    [burst(name), month[name]].filter(Boolean).join(", "),
  ]);
  Object.assign(headers, month, Object.fromEntries(both));
};
