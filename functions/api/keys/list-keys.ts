import { KEYS_LISTED_MAX } from "../../domain/accounts/account-limits.ts";
import type { KeyListView } from "../../domain/accounts/key-views.ts";
import { type ApiKey, isHolding, keyLimitOf, type ShownKey } from "../../domain/accounts/keys.ts";
import { monthOf } from "../../domain/accounts/quotas.ts";
import { DAY_MS } from "../../domain/times.ts";
import { example, operation } from "../operation.ts";
import { keyed, signedIn } from "../permissions.ts";
import { keyView } from "./key-view.ts";

/**
 * Lists the account's keys, newest first, with their last use. Only the latest revoked and expired keys are included.
 */
export const listKeys = operation({
  id: "listKeys",
  methods: ["GET"],
  path: "/api/v1/keys",
  auth: "session",
  permissions: { tables: { ...keyed, quotas: ["GetItem", "Query", "UpdateItem"] }, only: signedIn(), lists: true },
  tag: "Keys",
  summary: "List API keys",
  description:
    "Lists the API keys of the account, newest first, with their last use. The keys themselves are shown only when they are created.",
  answers: { 200: { description: "The keys.", examples: ["keyList"] } },
  examples: ({ keyRecord, time }) => ({
    keyList: example("KeyList", "One key, used once", {
      keys: [keyView({ ...keyRecord, lastUsedAt: time + DAY_MS })],
    }),
  }),
  run: (context) => async (request) => {
    const keys = listed(await context.accounts.keysOf(request.accountId), request.now);
    const ids = keys.map(({ id }) => id);
    const uses = await context.keyUses.of(request.accountId, ids);
    const limits = keys.flatMap((key) => keyLimitOf(key)?.id ?? []);
    const used = await context.quotas.usedByKeys(request.accountId, monthOf(request.now), [...new Set(limits)]);
    const shown = keys.map((key): ShownKey => {
      const [lastUsedAt, count] = [uses.get(key.id), used.get(keyLimitOf(key)?.id ?? "")];
      return { ...key, ...(lastUsedAt !== undefined && { lastUsedAt }), ...(count !== undefined && { used: count }) };
    });
    const body: KeyListView = { keys: shown.map(keyView) };
    return { status: 200, body };
  },
});

const listed = (keys: readonly ApiKey[], now: number): readonly ApiKey[] => {
  const newestFirst = keys.toSorted((a, b) => b.createdAt - a.createdAt);
  const holding = newestFirst.filter((key) => isHolding(key, now));
  const others = newestFirst.filter((key) => !isHolding(key, now));
  const shown = new Set([...holding, ...others].slice(0, KEYS_LISTED_MAX));
  return newestFirst.filter((key) => shown.has(key));
};
