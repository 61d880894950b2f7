import type { IdempotencyClaim, Replay } from "../domain/ports.ts";
import { type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
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
  Item: itemOf(recordKey(key), "idempotency", { record: id, requestHash, expiresAt }, expiresAt),
  ConditionExpression: "attribute_not_exists(pk) OR expiresAt <= :now",
  ExpressionAttributeValues: { ":now": createdAt },
  ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
});

const recordKey = (key: string): string => `idem#${key}`;

/** @returns what the key was used for; DynamoDB deletes late, so one that has expired counts as none */
export const findReplay = async (dynamo: Dynamo, key: string, now: number): Promise<Replay | undefined> => {
  const { jobs: table } = dynamo.tables;
  const found = await readRecord(dynamo, { table, key: recordKey(key), kind: "idempotency" });
  const id = found?.record ?? found?.job;
  return found === undefined || id === undefined || found.expiresAt <= now
    ? undefined
    : { outcome: "replayed", id, requestHash: found.requestHash };
};

/** @returns the replay that a refused write of {@link remembered} stands for; undefined when it was not refused */
export const replayOf = (refusal: Refusal | undefined): Replay | undefined => {
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
