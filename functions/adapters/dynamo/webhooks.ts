import { crc32 } from "node:zlib";
import { WEBHOOK_SHARDS } from "../../domain/tables.ts";
import { DEFAULT_ENDPOINT } from "../../domain/webhooks/endpoint.ts";
import type { WebhookMessage } from "../../domain/webhooks/message.ts";
import type { WebhookStore } from "../../domain/webhooks/webhook-ports.ts";
import { idsOf } from "./jobs/job-list.ts";
import { overdueIds } from "./overdue.ts";
import { type Dynamo, type Item, itemOf, readRecord } from "./records.ts";
import { insertNew, remove, update } from "./writes.ts";

/** Webhook messages, in the jobs table: they have the same lifetime, and use its indexes. */
export const dynamoWebhooks = (dynamo: Dynamo): WebhookStore => {
  const table = dynamo.tables.jobs;
  const get = async (id: string): Promise<WebhookMessage | undefined> => {
    const record = await readRecord(dynamo, { table, key: id, kind: "webhook" });
    if (record === undefined) {
      return undefined;
    }
    const { job, ...message } = record;
    return { ...message, jobId: job };
  };
  return {
    create: (message) => insertNew(dynamo, table, messageItem(message)),
    get,
    list: async ({ accountId, limit, after = "msg_~", endpointId }) => {
      const ids = await idsOf(dynamo, { accountId, from: "msg_", before: after, limit: limit + 1 });
      const found = (await Promise.all(ids.slice(0, limit).map(get))).filter((message) => message !== undefined);
      const items = found.filter((message) => [undefined, message.endpointId ?? DEFAULT_ENDPOINT].includes(endpointId));
      const last = ids[limit - 1];
      return { items, ...(ids.length > limit && last !== undefined && { next: last }) };
    },
    claim: async (id, from, until) => {
      const claimed = await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #dueAt = :until",
        condition: "#status = :pending AND #dueAt = :from",
        values: { ":until": until, ":from": from, ":pending": "pending" },
      });
      return claimed !== undefined;
    },
    record: async (id, attempt, { status, dueAt }) => {
      const due = dueAt === undefined ? "REMOVE #dueAt, #shard" : "";
      await update(dynamo, {
        table,
        key: { pk: id },
        update: `SET #attempts = list_append(#attempts, :attempts), #status = :status${dueAt === undefined ? "" : ", #dueAt = :dueAt"} ${due}`,
        condition: "#kind = :webhook",
        values: {
          ":attempts": [attempt],
          ":status": status,
          ":webhook": "webhook",
          ...(dueAt !== undefined && { ":dueAt": dueAt }),
        },
      });
    },
    revive: async (id, dueAt) => {
      const revived = await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #status = :pending, #dueAt = :dueAt, #shard = :shard",
        condition: "#kind = :webhook",
        values: { ":pending": "pending", ":dueAt": dueAt, ":shard": shardOf(id), ":webhook": "webhook" },
      });
      return revived !== undefined;
    },
    remove: async (id) => {
      await remove(dynamo, table, id);
    },
    due: async (now, limit) => {
      const shards = Array.from({ length: WEBHOOK_SHARDS }, (_, shard) => `w${shard}`);
      // A message that is due in this millisecond is included.
      const ids = await overdueIds(dynamo, shards, { now: now + 1, limit });
      const messages = await Promise.all(ids.map(get));
      return messages.flatMap((message) =>
        message?.status === "pending" && (message.dueAt ?? now + 1) <= now ? [message] : [],
      );
    },
  };
};

const shardOf = (id: string): string => `w${crc32(id) % WEBHOOK_SHARDS}`;

/** `jobId` is a key of the account index, and `shard` of the overdue index, so the job has a different attribute. */
const messageItem = ({ jobId, ...message }: WebhookMessage): Item =>
  itemOf(
    message.id,
    "webhook",
    { ...message, job: jobId, jobId: message.id, ...(message.dueAt !== undefined && { shard: shardOf(message.id) }) },
    message.recordExpiresAt,
  );
