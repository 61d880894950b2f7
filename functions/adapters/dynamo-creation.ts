import type { Creation } from "../domain/ports.ts";
import { replayOf } from "./dynamo-idempotency.ts";
import type { Refusal } from "./dynamo-writes.ts";

/**
 * @param writes how each fared: the record itself, its idempotency key where it `remembers` one, the counted request
 * @returns why a record was not added. A replay goes first: the request was counted when it was first made, whatever has
 * become of the quota.
 */
export const refusalOf = (
  name: string,
  writes: readonly Refusal[],
  { remembers }: { readonly remembers: boolean },
): Creation => {
  const replay = remembers ? replayOf(writes[1]) : undefined;
  if (replay !== undefined) {
    return replay;
  }
  if (writes[0]?.failed) {
    throw new Error(`There is a ${name} already.`);
  }
  return { outcome: "quota_exceeded" };
};
