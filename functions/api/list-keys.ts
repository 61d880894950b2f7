import { KEYS_LISTED_MAX } from "../domain/account-limits.ts";
import type { KeyListView } from "../domain/key-views.ts";
import { type ApiKey, isHolding, type ShownKey } from "../domain/keys.ts";
import { http, type Operation } from "./http.ts";
import { keyView } from "./key-view.ts";

/** Lists the account's keys, the newest first, with when each was used last. Of those that hold no more, only the latest. */
export const listKeys: Operation = (context) => async (request) => {
  const keys = listed(await context.accounts.keysOf(request.accountId), request.now);
  const ids = keys.map(({ id }) => id);
  const uses = await context.keyUses.of(request.accountId, ids);
  const shown = keys.map((key): ShownKey => {
    const lastUsedAt = uses.get(key.id);
    return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
  });
  const body: KeyListView = { keys: shown.map(keyView) };
  return { status: 200, body };
};

const listed = (keys: readonly ApiKey[], now: number): readonly ApiKey[] => {
  const newestFirst = keys.toSorted((a, b) => b.createdAt - a.createdAt);
  const holding = newestFirst.filter((key) => isHolding(key, now));
  const others = newestFirst.filter((key) => !isHolding(key, now));
  const shown = new Set([...holding, ...others].slice(0, KEYS_LISTED_MAX));
  return newestFirst.filter((key) => shown.has(key));
};

export const handler = http("listKeys", listKeys);
