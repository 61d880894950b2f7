import { KEYS_A_DAY_MAX, KEYS_MAX } from "../../domain/accounts/account-limits.ts";
import { type ApiKey, isHolding } from "../../domain/accounts/keys.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Context } from "../../domain/ports.ts";
import { DAY_MS } from "../../domain/times.ts";
import { type ApiRequest, param } from "../request.ts";

/**
 * @returns the account's key with the ID in the path
 * @throws RequestError `not_found`, also for keys of other accounts
 */
export const requireKey = async (context: Context, request: ApiRequest<unknown>): Promise<ApiKey> => {
  const id = param(request, "id");
  const keys = await context.accounts.keysOf(request.accountId);
  const key = keys.find((each) => each.id === id);
  if (key === undefined) {
    throw new RequestError("not_found", `Key ${id} not found.`);
  }
  return key;
};

/**
 * Checks that the account can have one more key. Concurrent requests can exceed the limits by a few keys, which is
 * fine: the limits only keep lists and tables small, and keys are not billed.
 *
 * @throws RequestError `limit_reached` or `rate_limited`
 */
export const checkRoom = async (context: Context, { accountId, now }: ApiRequest<unknown>): Promise<void> => {
  const keys = await context.accounts.keysOf(accountId);
  if (keys.filter((key) => isHolding(key, now)).length >= KEYS_MAX) {
    throw new RequestError("limit_reached", `An account can have up to ${KEYS_MAX} active keys. Revoke an unused one.`);
  }
  const latest = keys.map(({ createdAt }) => createdAt + DAY_MS).filter((end) => end > now);
  if (latest.length >= KEYS_A_DAY_MAX) {
    const retryAfter = String(Math.ceil((Math.min(...latest) - now) / 1_000));
    throw new RequestError("rate_limited", `An account can create up to ${KEYS_A_DAY_MAX} keys per day.`, {
      headers: { "retry-after": retryAfter },
    });
  }
};
