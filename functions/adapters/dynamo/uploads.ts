import { RECORD_RETENTION_MS } from "../../domain/limits.ts";
import type { UploadStore } from "../../domain/ports.ts";
import { withStatus } from "../../domain/uploads/upload.ts";
import { refusalOf } from "./creation.ts";
import { findReplay, remembered } from "./idempotency.ts";
import { transactCounted } from "./quotas/counted-writes.ts";
import { type Dynamo, itemOf, readRecord } from "./records.ts";
import { insertOf, update } from "./writes.ts";

/** Uploads in DynamoDB. Records are kept as long as those of jobs, to distinguish expired from unknown uploads. */
export const dynamoUploads = (dynamo: Dynamo): UploadStore => {
  const table = dynamo.tables.jobs;
  return {
    createUpload: async (upload, quota, idempotency) => {
      const item = itemOf(upload.id, "upload", upload, upload.createdAt + RECORD_RETENTION_MS);
      const refused = await transactCounted(dynamo, quota, ({ counts }) => [
        { Put: insertOf(table, item) },
        ...(idempotency === undefined ? [] : [{ Put: remembered(table, idempotency, upload) }]),
        ...counts,
      ]);
      return refused === undefined
        ? { outcome: "created" }
        : refusalOf(`upload ${upload.id}`, refused, {
            remembers: idempotency !== undefined,
            key: quota?.key !== undefined,
          });
    },

    findReplay: (key, now) => findReplay(dynamo, key, now),

    getUpload: async (id) => withStatus(await readRecord(dynamo, { table, key: id, kind: "upload" })),

    markSent: async (id, now) => {
      const marked = await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #source.#completedAt = :now",
        condition: "#status = :pending AND #source.#kind = :sent AND attribute_not_exists(#source.#completedAt)",
        values: { ":now": now, ":pending": "pending", ":sent": "sent" },
      });
      return marked !== undefined;
    },

    settle: async (id, end) => {
      const settled = await update(dynamo, {
        table,
        key: { pk: id },
        update: `SET ${Object.keys(end)
          .map((name) => `#${name} = :${name}`)
          .join(", ")} REMOVE #source`,
        condition: "#status = :pending",
        values: {
          ":pending": "pending",
          ...Object.fromEntries(Object.entries(end).map(([name, value]) => [`:${name}`, value])),
        },
      });
      return settled !== undefined;
    },

    expire: async (id, now) => {
      await update(dynamo, {
        table,
        key: { pk: id },
        update: "SET #expiresAt = :now",
        condition: "#expiresAt > :now",
        values: { ":now": now },
      });
    },
  };
};
