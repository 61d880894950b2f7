import { RECORD_RETENTION_MS } from "../domain/limits.ts";
import type { UploadStore } from "../domain/ports.ts";
import { countedRequest } from "./dynamo-quotas.ts";
import { type Dynamo, itemOf, readRecord } from "./dynamo-records.ts";
import { insertOf, transact, updateOf } from "./dynamo-writes.ts";

/** Uploads in DynamoDB. Their records stay as long as those of jobs, so that an expired one is told from none. */
export const dynamoUploads = (dynamo: Dynamo): UploadStore => ({
  createUpload: async (upload, quota) => {
    const item = itemOf(upload.id, "upload", upload, upload.createdAt + RECORD_RETENTION_MS);
    const refused = await transact(dynamo, [
      { Put: insertOf(dynamo.tables.jobs, item) },
      { Update: updateOf(countedRequest(dynamo, quota)) },
    ]);
    if (refused?.[0]?.failed) {
      throw new Error(`There is an upload ${upload.id} already.`);
    }
    return refused === undefined ? "created" : "quota_exceeded";
  },

  getUpload: (id) => readRecord(dynamo, { table: dynamo.tables.jobs, key: id, kind: "upload" }),
});
