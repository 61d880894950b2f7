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
import { RequestError } from "../domain/errors.ts";
import { CONFLICT_PAUSE_MS_MAX, CONFLICT_TRIES_MAX } from "../domain/limits.ts";
import type { Dynamo, Item } from "./dynamo-records.ts";

/** Conditional writes. Every one that meets another write of the same record is tried again, a bounded number of times. */

/** A change of one record. Attributes are written `#name`, because many names are reserved words; values `:name`. */
export interface Change {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  readonly update: string;
  readonly condition?: string;
  readonly values: Item;
}

/** @returns the change as DynamoDB takes it */
export const updateOf = ({ table, key, update, condition, values }: Change) => ({
  TableName: table,
  Key: key,
  UpdateExpression: update,
  ConditionExpression: condition,
  ExpressionAttributeNames: namesIn(`${update} ${condition ?? ""}`),
  ExpressionAttributeValues: values,
});

/** @returns the new record as DynamoDB takes it: nothing may be under its key */
export const insertOf = (table: string, item: Item) => ({
  TableName: table,
  Item: item,
  ConditionExpression: "attribute_not_exists(pk)",
});

/** @returns the record as the change left it, or undefined when its condition did not hold */
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

/** Adds a record. @throws ConditionalCheckFailedException when there is one under its key */
export const insert = async (dynamo: Dynamo, table: string, item: Item): Promise<void> => {
  await withoutConflict(dynamo, () => dynamo.client.send(new PutCommand(insertOf(table, item))));
};

/** Adds a record, unless there is one under its key. @returns whether it was added */
export const insertNew = async (dynamo: Dynamo, table: string, item: Item): Promise<boolean> => {
  try {
    await insert(dynamo, table, item);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return false;
    }
    throw error;
  }
};

/** Deletes a record. @returns whether it was there */
export const remove = async (dynamo: Dynamo, table: string, key: string): Promise<boolean> => {
  const command = new DeleteCommand({ TableName: table, Key: { pk: key }, ReturnValues: "ALL_OLD" });
  return (await withoutConflict(dynamo, () => dynamo.client.send(command))).Attributes !== undefined;
};

export type Writes = NonNullable<TransactWriteCommandInput["TransactItems"]>;

/** How a write of a transaction fared that was not done. */
export interface Refusal {
  /** Whether it was this write whose condition did not hold. */
  readonly failed: boolean;
  /** The record that was there, where the write asks for it, in DynamoDB's own notation. */
  readonly found: CancellationReason["Item"];
}

/**
 * Does all of the writes or none.
 * @returns undefined when they are done, else how each of them fared
 */
export const transact = async (dynamo: Dynamo, writes: Writes): Promise<readonly Refusal[] | undefined> => {
  // With the token the SDK's own repetitions are harmless: a transaction that was done is not done again.
  const command = new TransactWriteCommand({ TransactItems: writes, ClientRequestToken: randomUUID() });
  try {
    await withoutConflict(dynamo, () => dynamo.client.send(command));
    return undefined;
  } catch (error) {
    const reasons = reasonsOf(error);
    if (!reasons.some(({ Code }) => Code === "ConditionalCheckFailed")) {
      throw error;
    }
    return reasons.map(({ Code, Item: found }) => ({ failed: Code === "ConditionalCheckFailed", found }));
  }
};

/** Waits at random up to a bound that doubles, so that writers who met once do not meet again. */
export const jitteredPause = async (number: number): Promise<void> => {
  await setTimeout(Math.random() * pauseMsMax(number));
};

/** @returns milliseconds that the pause before a further try takes at the most */
export const pauseMsMax = (number: number): number => Math.min(CONFLICT_PAUSE_MS_MAX, 25 * 2 ** (number - 1));

/** @throws RequestError `temporarily_unavailable` when every try met another write */
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
    throw isConflict(error) ? busy() : error;
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
  reasonsOf(error).some(({ Code }) => CONFLICTS.includes(Code));

const reasonsOf = (error: unknown): readonly CancellationReason[] =>
  error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];

const busy = () =>
  new RequestError(
    "temporarily_unavailable",
    "Too many requests of this account came at once. Send it again shortly.",
    {
      headers: { "retry-after": "5" },
    },
  );

const namesIn = (expressions: string): Record<string, string> =>
  Object.fromEntries([...expressions.matchAll(/#(\w+)/g)].map(([name, attribute = ""]) => [name, attribute]));
