import { DeleteCommand, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import {
  isExpired,
  type LoggedRequest,
  REQUEST_RETENTION_MS,
  type RequestStore,
  requestPage,
} from "../../domain/requests/logged-request.ts";
import { shortened } from "../../domain/requests/redaction.ts";
import type { Dynamo, Item } from "./records.ts";
import { update } from "./writes.ts";

/**
 * Bytes of the entry of a successful request: with its key, attribute names and expiry, the record has less than one
 * write unit of 1,024 bytes. Bodies of successful responses can be requested again; errors cannot.
 */
const ENTRY_BYTES_MAX = 880;
const FAILED = 400;

/** Records that are deleted concurrently. */
const DELETIONS_AT_ONCE = 25;

/**
 * The partition of an account's requests in the table of quotas, so that no index is written. It is not the partition of
 * the account's counts: writes above a partition's limit would slow those down.
 */
export const requestsPartition = (accountId: string): string => `log#${accountId}`;

/** Requests of accounts, in the table of quotas. */
export const dynamoRequests = (dynamo: Dynamo): RequestStore => {
  const table = dynamo.tables.quotas;
  return {
    add: async (entries) => {
      for (const entry of entries) {
        await update(dynamo, {
          table,
          key: keyOf(entry.accountId, entry.id),
          update: "SET #entry = :entry, #ttl = :ttl",
          values: { ":entry": storedText(entry), ":ttl": Math.ceil((entry.at + REQUEST_RETENTION_MS) / 1_000) },
        });
      }
    },
    list: (query) =>
      requestPage(query, async ({ from, before, limit }) => {
        const { Items = [] } = await dynamo.client.send(
          new QueryCommand({
            TableName: table,
            // `BETWEEN` includes both ends, and `before` may be the ID of a record.
            KeyConditionExpression: "#account = :account AND #period BETWEEN :from AND :before",
            ExpressionAttributeNames: { "#account": "accountId", "#period": "period" },
            ExpressionAttributeValues: {
              ":account": requestsPartition(query.accountId),
              ":from": from,
              ":before": before,
            },
            ScanIndexForward: false,
            ConsistentRead: true,
            Limit: limit + 1,
          }),
        );
        return Items.filter(({ period }) => period !== before)
          .slice(0, limit)
          .map((item) => ({ id: String(item.period), record: entryOf(item) }));
      }),
    get: async (accountId, id, now) => {
      const command = new GetCommand({ TableName: table, Key: keyOf(accountId, id), ConsistentRead: true });
      const entry = entryOf((await dynamo.client.send(command)).Item);
      return entry === undefined || isExpired(entry, now) ? undefined : entry;
    },
    erase: (accountId, limit) => eraseSome(dynamo, accountId, limit),
  };
};

const keyOf = (accountId: string, id: string) => ({ accountId: requestsPartition(accountId), period: id });

/**
 * A line of JSON without the key of the record, then the text of the body as it is: in JSON, its quotation marks would
 * be escaped.
 */
const storedText = ({ accountId, id, body, ...rest }: LoggedRequest): string => {
  if (body === undefined) {
    return JSON.stringify(rest);
  }
  const room = ENTRY_BYTES_MAX - Buffer.byteLength(JSON.stringify({ ...rest, truncated: false }));
  const kept = rest.status < FAILED ? shortened(body, Math.max(0, room)) : body;
  return `${JSON.stringify({ ...rest, truncated: kept.truncated })}\n${kept.text}`;
};

/** Only this store writes the attribute, so its content matches the type. */
const entryOf = (item: Item | undefined): LoggedRequest | undefined => {
  if (typeof item?.entry !== "string") {
    return undefined;
  }
  const end = item.entry.indexOf("\n");
  const { truncated = false, ...rest } = JSON.parse(end < 0 ? item.entry : item.entry.slice(0, end)) as StoredEntry;
  const key = { id: String(item.period), accountId: String(item.accountId).slice(requestsPartition("").length) };
  return { ...rest, ...key, ...(end >= 0 && { body: { text: item.entry.slice(end + 1), truncated } }) };
};

type StoredEntry = Omit<LoggedRequest, "accountId" | "body" | "id"> & { readonly truncated?: boolean };

const eraseSome = async ({ client, tables }: Dynamo, accountId: string, limit: number): Promise<boolean> => {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tables.quotas,
      KeyConditionExpression: "#account = :account",
      ExpressionAttributeNames: { "#account": "accountId", "#period": "period" },
      ExpressionAttributeValues: { ":account": requestsPartition(accountId) },
      ProjectionExpression: "#account, #period",
      Limit: limit,
    }),
  );
  for (let at = 0; at < Items.length; at += DELETIONS_AT_ONCE) {
    const some = Items.slice(at, at + DELETIONS_AT_ONCE);
    await Promise.all(some.map((Key) => client.send(new DeleteCommand({ TableName: tables.quotas, Key }))));
  }
  return Items.length === limit;
};
