import { KEYS_A_DAY_MAX, KEYS_MAX } from "../domain/account-limits.ts";
import { RequestError } from "../domain/errors.ts";
import { type ApiKey, isHolding } from "../domain/keys.ts";
import type { Context } from "../domain/ports.ts";
import { DAY_MS } from "../domain/times.ts";
import { type ApiRequest, param } from "./request.ts";

/**
 * @returns the key that the path names, where it is one of the account's
 * @throws RequestError `not_found`, also for a key of another account
 */
export const ownKey = async (context: Context, request: ApiRequest<unknown>): Promise<ApiKey> => {
  const id = param(request, "id");
  const keys = await context.accounts.keysOf(request.accountId);
  const key = keys.find((each) => each.id === id);
  if (key === undefined) {
    throw new RequestError("not_found", `There is no key ${id}.`);
  }
  return key;
};

/**
 * Sees to it that the account may have one key more. Keys that are made at once may each find room, so a few more than
 * that can come to be: the limits keep lists and tables small, and nothing is paid by the key.
 *
 * @throws RequestError `limit_reached` or `rate_limited`
 */
export const checkRoom = async (context: Context, { accountId, now }: ApiRequest<unknown>): Promise<void> => {
  const keys = await context.accounts.keysOf(accountId);
  if (keys.filter((key) => isHolding(key, now)).length >= KEYS_MAX) {
    throw new RequestError("limit_reached", `An account has at most ${KEYS_MAX} keys. Revoke one that is not used.`);
  }
  const latest = keys.map(({ createdAt }) => createdAt + DAY_MS).filter((end) => end > now);
  if (latest.length >= KEYS_A_DAY_MAX) {
    const retryAfter = String(Math.ceil((Math.min(...latest) - now) / 1_000));
    throw new RequestError("rate_limited", `An account may make ${KEYS_A_DAY_MAX} keys a day.`, {
      headers: { "retry-after": retryAfter },
    });
  }
};
