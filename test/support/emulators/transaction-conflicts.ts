import { TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient, TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "../../../functions/adapters/dynamo/records.ts";
import { pauseMsMax } from "../../../functions/adapters/dynamo/writes.ts";
import type { VirtualTime } from "../world/virtual-time.ts";

/**
 * DynamoDB that rejects concurrent writes of a record as the service does, which the emulator does not (DynamoDB
 * Developer Guide, "Transaction conflict handling"): a transaction whose records another one holds is cancelled, and so is
 * a single write of such a record. A transaction holds its records for some time, whether its conditions hold or not.
 */
export interface ConflictingDynamo {
  readonly dynamo: Dynamo;
  /** Writes that were rejected because of a conflict. */
  readonly conflicts: () => number;
}

type Sent = { readonly constructor: { readonly name: string }; readonly input: Record<string, unknown> };

/** Milliseconds of a call that is not a transaction, or is cancelled. */
const CALL_MS = 4;

const SINGLE_WRITES = new Set(["DeleteCommand", "PutCommand", "UpdateCommand"]);

/** @param heldMs returns how long a transaction holds its records, in milliseconds */
export const conflictingDynamo = (dynamo: Dynamo, time: VirtualTime, heldMs: () => number): ConflictingDynamo => {
  const held = new Set<string>();
  let conflicts = 0;

  const transaction = async (items: readonly object[], work: () => Promise<unknown>): Promise<unknown> => {
    const keys = items.map((item) => keyOf(Object.values(item)[0]));
    const met = keys.map((key) => held.has(key));
    if (met.includes(true)) {
      conflicts += 1;
      await time.sleep(CALL_MS);
      const CancellationReasons = met.map((isMet) => ({ Code: isMet ? "TransactionConflict" : "None" }));
      throw new TransactionCanceledException({ message: "Cancelled", $metadata: {}, CancellationReasons });
    }
    for (const key of keys) {
      held.add(key);
    }
    try {
      return await time.real(work);
    } finally {
      await time.sleep(heldMs());
      for (const key of keys) {
        held.delete(key);
      }
    }
  };

  const single = async (input: Sent["input"], isWrite: boolean, work: () => Promise<unknown>): Promise<unknown> => {
    if (isWrite && held.has(keyOf(input))) {
      conflicts += 1;
      await time.sleep(CALL_MS);
      throw new TransactionConflictException({ message: "Transaction is ongoing for the item", $metadata: {} });
    }
    await time.sleep(CALL_MS / 2);
    const answer = await time.real(work);
    await time.sleep(CALL_MS / 2);
    return answer;
  };

  const send = (command: Sent): Promise<unknown> => {
    const { name } = command.constructor;
    const work = () => dynamo.client.send(command as never) as Promise<unknown>;
    return name === "TransactWriteCommand"
      ? transaction((command.input as unknown as TransactWriteCommandInput).TransactItems ?? [], work)
      : single(command.input, SINGLE_WRITES.has(name), work);
  };

  return {
    dynamo: {
      ...dynamo,
      client: { send } as unknown as DynamoDBDocumentClient,
      pause: (number) => time.sleep(Math.random() * pauseMsMax(number)),
    },
    conflicts: () => conflicts,
  };
};

const keyOf = (write: unknown): string => {
  const { TableName, Key, Item } = write as { TableName: string; Key?: object; Item?: { pk?: unknown } };
  return JSON.stringify([TableName, Key ?? { pk: Item?.pk }]);
};
