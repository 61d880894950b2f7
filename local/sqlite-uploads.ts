import type { UploadStore } from "../functions/domain/ports.ts";
import type { Upload } from "../functions/domain/uploads.ts";
import type { Database } from "./database.ts";
import { textOf } from "./rows.ts";
import { quotaCounter } from "./sqlite-quotas.ts";

export const sqliteUploads = (database: Database): UploadStore => {
  const counter = quotaCounter(database);
  const insert = database.prepare(
    "INSERT INTO uploads (id, body, key, expires_at) VALUES (:id, :body, :key, :expiresAt)",
  );
  const get = database.prepare("SELECT body FROM uploads WHERE id = ?");
  return {
    createUpload: async (upload, quota) =>
      database.durably(() => {
        if (!counter.take(quota)) {
          return "quota_exceeded";
        }
        const { id, key, expiresAt } = upload;
        insert.run({ id, body: JSON.stringify(upload), key, expiresAt });
        return "created";
      }),
    getUpload: async (id) => {
      const row = get.get(id);
      return row && (JSON.parse(textOf(row, "body")) as Upload);
    },
  };
};
