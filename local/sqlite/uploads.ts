import type { UploadStore } from "../../functions/domain/ports.ts";
import { type PendingUpload, type Upload, withStatus } from "../../functions/domain/uploads/upload.ts";
import type { DueTasks } from "../queue/fair-tasks.ts";
import type { Database } from "./database.ts";
import { idempotencyRecords } from "./idempotency.ts";
import { quotaCounter } from "./quotas.ts";
import { type Row, textOf } from "./rows.ts";

/** Uploads, for their worker. */
export interface LocalUploads extends UploadStore {
  /** Pending uploads that a worker must fetch, or check because the client has sent everything. */
  readonly due: DueTasks;
}

/** @param onChange called for each changed upload, after it is committed */
export const sqliteUploads = (database: Database, onChange: (uploadId: string) => void = () => {}): LocalUploads => {
  const [counter, idempotency] = [quotaCounter(database), idempotencyRecords(database)];
  const insert = database.prepare(
    "INSERT INTO uploads (id, body, key, expires_at, waits) VALUES (:id, :body, :key, :expiresAt, :waits)",
  );
  const update = database.prepare("UPDATE uploads SET body = :body, waits = :waits WHERE id = :id");
  const expire = database.prepare("UPDATE uploads SET body = :body, expires_at = :expiresAt, waits = 0 WHERE id = :id");
  const get = database.prepare("SELECT body FROM uploads WHERE id = ?");
  const accountAfter = database.prepare(`
    SELECT body ->> 'accountId' AS account_id FROM uploads WHERE waits = 1 AND body ->> 'accountId' > ?
    ORDER BY body ->> 'accountId' LIMIT 1`);
  const waitingOf = database.prepare(
    "SELECT id FROM uploads WHERE waits = 1 AND body ->> 'accountId' = ? ORDER BY id LIMIT ?",
  );
  const change = async (id: string, next: (upload: PendingUpload) => Upload | undefined): Promise<boolean> => {
    const changed = await database.durably(() => {
      const upload = uploadOf(get.get(id));
      const now = upload?.status === "pending" ? next(upload) : undefined;
      return now !== undefined && update.run({ id, body: JSON.stringify(now), waits: waits(now) }).changes === 1;
    });
    if (changed) {
      onChange(id);
    }
    return changed;
  };
  return {
    createUpload: (upload, quota, claim) =>
      database.durably(() => {
        const earlier = idempotency.find(claim, upload.createdAt);
        if (earlier !== undefined) {
          return earlier;
        }
        const taken = quota === undefined ? "taken" : counter.take(quota);
        if (taken !== "taken") {
          return { outcome: taken };
        }
        const { id, key, expiresAt } = upload;
        insert.run({ id, body: JSON.stringify(upload), key, expiresAt, waits: waits(upload) });
        idempotency.remember(claim, id);
        return { outcome: "created" };
      }),
    findReplay: idempotency.findReplay,
    getUpload: async (id) => uploadOf(get.get(id)),
    markSent: (id, now) =>
      change(id, (upload) =>
        upload.source.kind === "sent" && upload.source.completedAt === undefined
          ? { ...upload, source: { ...upload.source, completedAt: now } }
          : undefined,
      ),
    settle: async (id, end) => {
      let isImport = false;
      const settled = await change(id, ({ source, ...upload }) => {
        isImport = source.kind === "fetched";
        return { ...upload, ...end };
      });
      // The URL and headers of an import can contain secrets.
      if (settled && isImport) {
        database.forget();
      }
      return settled;
    },
    expire: async (id, now) => {
      await database.durably(() => {
        const upload = uploadOf(get.get(id));
        if (upload !== undefined && upload.expiresAt > now) {
          expire.run({ id, body: JSON.stringify({ ...upload, expiresAt: now }), expiresAt: now });
        }
      });
    },
    due: {
      accountAfter: (accountId) => {
        const row = accountAfter.get(accountId);
        return row && textOf(row, "account_id");
      },
      tasksOf: (accountId, _, limit) => waitingOf.all(accountId, limit).map((row) => textOf(row, "id")),
    },
  };
};

const waits = (upload: Upload): number =>
  upload.status === "pending" && (upload.source.kind === "fetched" || upload.source.completedAt !== undefined) ? 1 : 0;

const uploadOf = (row: Row | undefined): Upload | undefined =>
  withStatus(row && (JSON.parse(textOf(row, "body")) as Upload));
