import { DeleteCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { teamOf } from "../../domain/accounts/members.ts";
import { detailsPartition } from "./quotas/use-details.ts";
import { type Dynamo, type Item, readRecord } from "./records.ts";
import { requestsPartition } from "./requests.ts";
import { seatRemoval } from "./seats.ts";
import { busy, deletionOf, transact, update } from "./writes.ts";

/** Records that are deleted concurrently. */
const DELETIONS_AT_ONCE = 25;

/** Deletes the records of an account, and the account with its address last, so that an interrupted call can be repeated. */
export const eraseAccount = async (dynamo: Dynamo, id: string, emailKey: (email: string) => string): Promise<void> => {
  const { keys, quotas } = dynamo.tables;
  const account = await readRecord(dynamo, { table: keys, key: id, kind: "account" });
  const address = account && emailKey(account.email);
  for (const partition of [id, detailsPartition(id), requestsPartition(id)]) {
    const place = { table: quotas, index: undefined, names: ["accountId", "period"] };
    await eraseFound(dynamo, place, { id: partition, kept: [] });
  }
  await eraseFound(dynamo, { table: keys, index: "by-account", names: ["pk"] }, { id, kept: [address] });
  for (const { email } of account === undefined ? [] : teamOf(account).members) {
    await update(dynamo, seatRemoval(dynamo, email, id));
  }
  if (address !== undefined) {
    const own = { condition: "attribute_not_exists(pk) OR #accountId = :id", values: { ":id": id } };
    const refused = await transact(dynamo, [
      { Delete: deletionOf({ table: keys, key: { pk: address }, ...own }) },
      { Delete: { TableName: keys, Key: { pk: id } } },
    ]);
    if (refused !== undefined) {
      throw busy("The address of the account is being changed. Try again shortly.");
    }
  }
};

/** The records of an account in a table or an index, and the names of their key. */
interface Place {
  readonly table: string;
  readonly index: string | undefined;
  readonly names: readonly string[];
}

const eraseFound = async (
  { client }: Dynamo,
  { table: TableName, index: IndexName, names }: Place,
  { id, kept }: { readonly id: string; readonly kept: readonly unknown[] },
): Promise<void> => {
  const pages = paginateQuery(
    { client, pageSize: DELETIONS_AT_ONCE },
    {
      TableName,
      IndexName,
      KeyConditionExpression: "accountId = :account",
      ExpressionAttributeValues: { ":account": id },
      ProjectionExpression: names.map((_, place) => `#${place}`).join(),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, place) => [`#${place}`, name])),
    },
  );
  for await (const { Items = [] } of pages) {
    const found = Items.filter((item: Item) => !kept.includes(item.pk));
    await Promise.all(found.map((Key) => client.send(new DeleteCommand({ TableName, Key }))));
  }
};
