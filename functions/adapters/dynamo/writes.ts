import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { RequestError } from "../../domain/errors.ts";
import { CONFLICT_PAUSE_MS_MAX, CONFLICT_TRIES_MAX } from "../../domain/limits.ts";
import type { Dynamo, Item } from "./records.ts";

/** Conditional writes, with a limited number of retries after conflicts with other writes of the same record. */

/** A change of one record. Attributes are written `#name`, because many names are reserved words; values `:name`. */
export interface Change {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  readonly update: string;
  readonly condition?: string;
  readonly values: Item;
}

/** @returns the change in DynamoDB's format */
export const updateOf = ({ table, key, update, condition, values }: Change) => ({
  TableName: table,
  Key: key,
  UpdateExpression: update,
  ConditionExpression: condition,
  ExpressionAttributeNames: namesIn(`${update} ${condition ?? ""}`),
  ExpressionAttributeValues: values,
});

/** @returns the deletion in DynamoDB's format */
export const deletionOf = ({ table, key, condition, values }: Required<Omit<Change, "update">>) => ({
  TableName: table,
  Key: key,
  ConditionExpression: condition,
  ExpressionAttributeNames: namesIn(condition),
  ExpressionAttributeValues: values,
});

/** @returns the new record in DynamoDB's format, on the condition that its key does not exist */
export const insertOf = (table: string, item: Item, partitionKey = "pk") => ({
  TableName: table,
  Item: item,
  ConditionExpression: `attribute_not_exists(${partitionKey})`,
});

/** @returns the changed record; undefined if the condition failed */
export const update = async (dynamo: Dynamo, change: Change): Promise<Item | undefined> => {
  const command = new UpdateCommand({ ...updateOf(change), ReturnValues: "ALL_NEW" });
  try {
    return (await withoutConflict(dynamo, () => dynamo.client.send(command))).Attributes ?? {};
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return undefined;
    }
    throw error;
  }
};

/** Adds a record. @throws ConditionalCheckFailedException if its key already exists */
export const insert = async (dynamo: Dynamo, table: string, item: Item, partitionKey?: string): Promise<void> => {
  await withoutConflict(dynamo, () => dynamo.client.send(new PutCommand(insertOf(table, item, partitionKey))));
};

/** Adds a record, or replaces the one with its key. */
export const put = async (dynamo: Dynamo, table: string, item: Item): Promise<void> => {
  await withoutConflict(dynamo, () => dynamo.client.send(new PutCommand({ TableName: table, Item: item })));
};

/** Adds a record, unless its key already exists. @returns whether it was added */
export const insertNew = async (dynamo: Dynamo, table: string, item: Item, partitionKey?: string): Promise<boolean> => {
  try {
    await insert(dynamo, table, item, partitionKey);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return false;
    }
    throw error;
  }
};

/** Deletes a record. @returns whether it existed */
export const remove = async (dynamo: Dynamo, table: string, key: string): Promise<boolean> => {
  const command = new DeleteCommand({ TableName: table, Key: { pk: key }, ReturnValues: "ALL_OLD" });
  return (await withoutConflict(dynamo, () => dynamo.client.send(command))).Attributes !== undefined;
};

export type Writes = NonNullable<TransactWriteCommandInput["TransactItems"]>;

/** Result of one write of a rejected transaction. */
export interface Refusal {
  /** Whether the condition of this write failed. */
  readonly failed: boolean;
  /** The existing record in DynamoDB's format, if the write requests it. */
  readonly found: CancellationReason["Item"];
}

/**
 * Performs all writes or none.
 * @param writes a function returns the writes of each attempt, after this many conflicts
 * @returns undefined on success, otherwise the result of each write
 */
export const transact = async (
  dynamo: Dynamo,
  writes: Writes | ((conflicts: number) => Writes),
): Promise<readonly Refusal[] | undefined> => {
  const attempt = typeof writes === "function" ? writes : () => writes;
  let [command, conflicts] = [transactionOf(attempt(0)), 0];
  const send = async () => {
    try {
      await dynamo.client.send(command);
    } catch (error) {
      if (typeof writes === "function" && isCancelledByConflict(error)) {
        conflicts += 1;
        command = transactionOf(attempt(conflicts));
      }
      throw error;
    }
  };
  try {
    await withoutConflict(dynamo, send);
    return undefined;
  } catch (error) {
    const reasons = reasonsOf(error);
    if (!reasons.some(({ Code }) => Code === "ConditionalCheckFailed")) {
      throw error;
    }
    return reasons.map(({ Code, Item: found }) => ({ failed: Code === "ConditionalCheckFailed", found }));
  }
};

/** Performs all writes or none, without a retry. @returns false if a condition failed or the transaction conflicts */
export const tryTransaction = async (dynamo: Dynamo, writes: Writes): Promise<boolean> => {
  try {
    await dynamo.client.send(transactionOf(writes));
    return true;
  } catch (error) {
    if (isConflict(error) || reasonsOf(error).some(({ Code }) => Code === "ConditionalCheckFailed")) {
      return false;
    }
    throw error;
  }
};

/** The token makes the SDK's retries safe: a completed transaction is not repeated. */
const transactionOf = (writes: Writes) =>
  new TransactWriteCommand({ TransactItems: writes, ClientRequestToken: randomUUID() });

/** Waits for a random time up to a doubling bound, so that conflicting writers do not conflict again. */
export const jitteredPause = async (number: number): Promise<void> => {
  await setTimeout(Math.random() * pauseMsMax(number));
};

/** @returns the maximum pause before the next attempt in milliseconds */
export const pauseMsMax = (number: number): number => Math.min(CONFLICT_PAUSE_MS_MAX, 25 * 2 ** (number - 1));

/** @throws RequestError `temporarily_unavailable` if every attempt conflicts with another write */
const withoutConflict = async <T>(dynamo: Dynamo, write: () => Promise<T>): Promise<T> => {
  for (let tries = 1; tries < CONFLICT_TRIES_MAX; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error)) {
        throw error;
      }
    }
    await dynamo.pause(tries);
  }
  try {
    return await write();
  } catch (error) {
    throw isConflict(error) ? busy("Too many concurrent requests for this account. Try again shortly.") : error;
  }
};

const CONFLICTS: readonly (string | undefined)[] = [
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
];

const isConflict = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  error instanceof TransactionInProgressException ||
  isCancelledByConflict(error);

/** Nothing was written, so the next attempt may differ. A transaction in progress must be repeated as it is. */
const isCancelledByConflict = (error: unknown): boolean =>
  reasonsOf(error).some(({ Code }) => CONFLICTS.includes(Code));

const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

/** @returns the error for a write that always conflicts */
export const busy = (detail: string) =>
  new RequestError("temporarily_unavailable", detail, { headers: { "retry-after": "5" } });

const namesIn = (expressions: string): Record<string, string> =>
  Object.fromEntries([...expressions.matchAll(/#(\w+)/g)].map(([name, attribute = ""]) => [name, attribute]));
