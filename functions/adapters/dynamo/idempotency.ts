import type { IdempotencyClaim, Replay } from "../../domain/ports.ts";
import { type Dynamo, itemOf, readRecord } from "./records.ts";
import type { Refusal } from "./writes.ts";

/**
 * @returns the write that records the use of an idempotency key, and returns its previous use. DynamoDB deletes expired
 * records late, so an expired record is overwritten.
 */
export const remembered = (
  table: string,
  { key, requestHash, expiresAt }: IdempotencyClaim,
  { id, createdAt }: { readonly id: string; readonly createdAt: number },
) => ({
  TableName: table,
  Item: itemOf(recordKey(key), "idempotency", { record: id, requestHash, expiresAt }, expiresAt),
  ConditionExpression: "attribute_not_exists(pk) OR expiresAt <= :now",
  ExpressionAttributeValues: { ":now": createdAt },
  ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
});

const recordKey = (key: string): string => `idem#${key}`;

/** @returns the previous use of the key. DynamoDB deletes late, so an expired record counts as missing. */
export const findReplay = async (dynamo: Dynamo, key: string, now: number): Promise<Replay | undefined> => {
  const { jobs: table } = dynamo.tables;
  const found = await readRecord(dynamo, { table, key: recordKey(key), kind: "idempotency" });
  const id = found?.record ?? found?.job;
  return found === undefined || id === undefined || found.expiresAt <= now
    ? undefined
    : { outcome: "replayed", id, requestHash: found.requestHash };
};

/** @returns the replay that a rejected write of {@link remembered} indicates; undefined if it was not rejected */
export const replayOf = (refusal: Refusal | undefined): Replay | undefined => {
  if (!refusal?.failed) {
    return undefined;
  }
  // The first release called the record a job.
  const [id, requestHash] = [refusal.found?.record?.S ?? refusal.found?.job?.S, refusal.found?.requestHash?.S];
  if (id === undefined || requestHash === undefined) {
    throw new Error("DynamoDB did not return the conflicting idempotency record.");
  }
  return { outcome: "replayed", id, requestHash };
};
