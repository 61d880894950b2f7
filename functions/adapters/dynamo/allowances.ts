import type { AllowanceStore } from "../../domain/accounts/account-ports.ts";
import type { Dynamo } from "./records.ts";
import { update } from "./writes.ts";

/** Counts in the quotas table of DynamoDB: one record per subject and window, which expires automatically. */
export const dynamoAllowances = (dynamo: Dynamo): AllowanceStore => ({
  take: async (subject, { limit, windowMs }, now) => {
    const endsAt = (Math.floor(now / windowMs) + 1) * windowMs;
    const counted = await update(dynamo, {
      table: dynamo.tables.quotas,
      key: { accountId: `allowance#${subject}`, period: `${windowMs}#${endsAt}` },
      update: "SET #ttl = :ttl ADD #taken :one",
      // A window without a record is below the limit, unless the limit is 0.
      condition: limit > 0 ? "attribute_not_exists(#taken) OR #taken < :limit" : "#taken < :limit",
      values: { ":ttl": Math.ceil(endsAt / 1_000), ":one": 1, ":limit": limit },
    });
    return counted === undefined ? -1 : limit - Number(counted.taken);
  },
});
