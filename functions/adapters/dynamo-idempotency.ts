import type { Creation, IdempotencyClaim } from "../domain/ports.ts";
import { itemOf } from "./dynamo-records.ts";
import type { Refusal } from "./dynamo-writes.ts";

/**
 * @returns the write that remembers what an idempotency key was used for, and gives back what it was used for before.
 * DynamoDB deletes late, so a record that has expired is written over.
 */
export const remembered = (
  table: string,
  { key, requestHash, expiresAt }: IdempotencyClaim,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
) => ({
  TableName: table,
  Item: itemOf(`idem#${key}`, "idempotency", { record: id, requestHash, expiresAt }, expiresAt),
  ConditionExpression: "attribute_not_exists(pk) OR expiresAt <= :now",
  ExpressionAttributeValues: { ":now": createdAt },
  ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
});

/** @returns the replay that a refused write of {@link remembered} stands for; undefined when it was not refused */
export const replayOf = (refusal: Refusal | undefined): Extract<Creation, { outcome: "replayed" }> | undefined => {
  if (!refusal?.failed) {
    return undefined;
  }
  // The first release called the record a job.
  const [id, requestHash] = [refusal.found?.record?.S ?? refusal.found?.job?.S, refusal.found?.requestHash?.S];
  if (id === undefined || requestHash === undefined) {
    throw new Error("DynamoDB did not give back the idempotency record that stood in the way.");
  }
  return { outcome: "replayed", id, requestHash };
};
