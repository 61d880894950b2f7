import type { MiddlewareObj } from "@middy/core";
import { type Account, plans } from "../../domain/accounts/plans.ts";
import {
  burstExceeded,
  burstHeaders,
  keyQuotaExceeded,
  type QuotaClaim,
  quotaClaim,
  quotaExceeded,
  quotaHeaders,
} from "../../domain/accounts/quotas.ts";
import { RequestError } from "../../domain/errors.ts";
import { asError, logger } from "../../logger.ts";
import type { AnyOperation } from "../operation.ts";
import type { Answer, ApiEvent, ApiRequest, ApiResult, Exchange } from "../request.ts";
import { exchangeOf, requestKeys } from "../request.ts";
import { authorizedMember } from "./authorize.ts";
import { noteQuota } from "./quota-notices.ts";

/**
 * Enforces the account's requests per second, prepares the count of a metered request, and sets the rate limit headers.
 * The operation itself counts the request, in one transaction with its effect: a rejected request is not counted, and
 * no crash loses or adds a count. An account that has used up its month is rejected here, before the body is read.
 */
export const meter = (
  route: Pick<AnyOperation, "area" | "auth" | "metered" | "tag">,
): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
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
    exchange.request = { ...request, account, ...authorizedMember(route, account, request) };
    await noteKey(exchange);
    await holdToBurst(exchange, account);
    if (route.metered === undefined || request.method === "HEAD" || request.isTest) {
      return;
    }
    const claim = quotaClaim(account, request.now, route.metered, request.keyLimit);
    const used = await context.quotas.used(claim.accountId, claim.month);
    exchange.request = { ...exchange.request, claim };
    setQuotaHeaders(exchange, used);
    // A repeated request may have been counted already; the operation's transaction decides. A finished result can
    // always be downloaded.
    const isRefused = route.metered !== "download" && request.headers["idempotency-key"] === undefined;
    if (used >= claim.limit && isRefused) {
      await noted(exchange, used);
      throw quotaExceeded(claim, request.now);
    }
    if (isRefused) {
      await checkKey(exchange, claim);
    }
  },
  after: async ({ event }) => {
    const exchange = exchangeOf(event);
    const { claim } = exchange.request;
    if (claim === undefined) {
      return;
    }
    try {
      const used = await exchange.context.quotas.used(claim.accountId, claim.month);
      setQuotaHeaders(exchange, used);
      await noted(exchange, used);
    } catch (error) {
      // An accepted, counted request must not fail here. Its headers contain the earlier count.
      logger.warn("request count was not read", { ...requestKeys(exchange.request), error: asError(error) });
    }
  },
});

/** A key that has used up its own limit is rejected here as well, before the body is read. */
const checkKey = async ({ context, request }: Exchange, { accountId, month, key }: QuotaClaim): Promise<void> => {
  if (key !== undefined) {
    const used = await context.quotas.usedByKeys(accountId, month, [key.id]);
    if ((used.get(key.id) ?? 0) >= key.limit) {
      throw keyQuotaExceeded(key.limit, month, request.now);
    }
  }
};

/** Lambda freezes what is not awaited; elsewhere, no request waits for a notice. */
const noted = async (exchange: Exchange, used: number): Promise<void> => {
  const noting = noteQuota(exchange, used);
  await (exchange.context.streams === undefined ? noting : undefined);
};

/** Recording the last use of a key is best effort: results can still be read when the disk is full. */
const noteKey = async ({ context, request }: Exchange): Promise<void> => {
  if (request.keyId === undefined) {
    return;
  }
  try {
    await context.keyUses.note(request.accountId, request.keyId, request.now);
  } catch (error) {
    logger.warn("key use was not recorded", { ...requestKeys(request), error: asError(error) });
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

/** Both limits share one header, each with its name. */
const setQuotaHeaders = ({ headers, request }: Exchange, used: number): void => {
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
