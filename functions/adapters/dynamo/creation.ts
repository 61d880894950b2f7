import type { Creation } from "../../domain/ports.ts";
import { replayOf } from "./idempotency.ts";
import type { Refusal } from "./writes.ts";

/**
 * @param writes results of the record, its idempotency key if it `remembers` one, and the counted request, also for its
 * `key`
 * @returns why a record was not added. A replay takes precedence: the request was counted when it was first made,
 * whatever the quota is now.
 */
export const refusalOf = (
  name: string,
  writes: readonly Refusal[],
  { remembers, key }: { readonly remembers: boolean; readonly key: boolean },
): Creation => {
  const replay = remembers ? replayOf(writes[1]) : undefined;
  if (replay !== undefined) {
    return replay;
  }
  if (writes[0]?.failed) {
    throw new Error(`The ${name} already exists.`);
  }
  return { outcome: key && writes.at(-2)?.failed ? "key_quota_exceeded" : "quota_exceeded" };
};
