import { IDEMPOTENCY_HOLD_MS } from "../../domain/limits.ts";
import type { KeyHolds } from "../../domain/ports.ts";
import type { Dynamo } from "./records.ts";
import { update } from "./writes.ts";

/** A hold with a later end was set by a wrong clock, and would otherwise last until that time. */
const CLOCKS_APART_MS_MAX = IDEMPOTENCY_HOLD_MS;

/** Holds in DynamoDB, in the table of idempotency records: one per key, which expires automatically. */
export const dynamoHolds = (dynamo: Dynamo): KeyHolds => {
  const table = dynamo.tables.jobs;
  return {
    hold: async (key, requestId, now) => {
      const expiresAt = now + IDEMPOTENCY_HOLD_MS;
      const held = await update(dynamo, {
        table,
        key: keyOf(key),
        update: "SET #kind = :kind, #holder = :holder, #expiresAt = :expiresAt, #ttl = :ttl",
        condition:
          // After a lost response the SDK retries, and then this request already holds the key.
          "attribute_not_exists(#expiresAt) OR #expiresAt <= :now OR #holder = :holder OR #expiresAt > :latest",
        values: {
          ":kind": "hold",
          ":holder": requestId,
          ":expiresAt": expiresAt,
          ":ttl": Math.ceil(expiresAt / 1_000),
          ":now": now,
          ":latest": expiresAt + CLOCKS_APART_MS_MAX,
        },
      });
      return held !== undefined;
    },
    release: async (key, requestId) => {
      await update(dynamo, {
        table,
        key: keyOf(key),
        update: "SET #expiresAt = :over",
        condition: "#holder = :holder",
        values: { ":holder": requestId, ":over": 0 },
      });
    },
  };
};

const keyOf = (key: string) => ({ pk: `hold#${key}` });
