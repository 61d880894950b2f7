import { AFTER_ALL_IDS, pageOf } from "../../functions/domain/pages.ts";
import type { PipelineStore, PresetStore } from "../../functions/domain/pipelines/pipeline-ports.ts";
import type { Preset } from "../../functions/domain/pipelines/preset.ts";
import { messageIdsOf } from "../../functions/domain/webhooks/message.ts";
import type { Database } from "./database.ts";
import { idempotencyRecords } from "./idempotency.ts";
import { jobRecords } from "./job-records.ts";
import { pipelineOf, pipelineReader } from "./pipeline-reader.ts";
import { quotaCounter } from "./quotas.ts";
import { type Row, textOf } from "./rows.ts";

/** Pipelines in SQLite, stored as JSON; additional columns contain the searched fields. */
export const sqlitePipelines = (database: Database): PipelineStore => {
  const [jobs, idempotency, counter] = [jobRecords(database), idempotencyRecords(database), quotaCounter(database)];
  const insert = database.prepare(`
    INSERT INTO pipelines (id, body, account_id, record_expires_at) VALUES (:id, :body, :accountId, :recordExpiresAt)`);
  const list = database.prepare(`
    SELECT body FROM pipelines WHERE account_id = :accountId AND id < :after ORDER BY id DESC LIMIT :limit`);
  const erase = database.prepare("DELETE FROM pipelines WHERE id = ?");
  const eraseMessage = database.prepare("DELETE FROM webhooks WHERE id = ?");
  const reader = pipelineReader(database);
  return {
    createPipeline: async ({ pipeline, jobs: own, quota, idempotency: claim, answers }) =>
      database.durably(() => {
        const earlier = idempotency.find(claim, pipeline.createdAt);
        if (earlier !== undefined) {
          return earlier;
        }
        const taken = quota === undefined ? "taken" : counter.take(quota);
        if (taken !== "taken") {
          return { outcome: taken };
        }
        const { id, accountId, recordExpiresAt } = pipeline;
        insert.run({ id, body: JSON.stringify(pipeline), accountId, recordExpiresAt });
        for (const job of own) {
          jobs.create(job, undefined, undefined);
        }
        idempotency.remember(claim, answers);
        return { outcome: "created" };
      }),
    getPipeline: async (id) => reader.get(id),
    listPipelines: async ({ accountId, limit, after = AFTER_ALL_IDS }) =>
      pageOf(
        list.all({ accountId, limit: limit + 1, after }).flatMap((row) => pipelineOf(row) ?? []),
        limit,
      ),
    erasePipeline: async (id) => {
      await database.durably(() => {
        const pipeline = reader.get(id);
        erase.run(id);
        for (const message of pipeline === undefined ? [] : messageIdsOf(pipeline)) {
          eraseMessage.run(message);
        }
      });
    },
  };
};

/** Presets in SQLite, stored as JSON. */
export const sqlitePresets = (database: Database): PresetStore => {
  const save = database.prepare(
    "INSERT OR REPLACE INTO presets (account_id, name, body) VALUES (:accountId, :name, :body)",
  );
  const get = database.prepare("SELECT body FROM presets WHERE account_id = :accountId AND name = :name");
  const list = database.prepare("SELECT body FROM presets WHERE account_id = ?");
  const remove = database.prepare("DELETE FROM presets WHERE account_id = :accountId AND name = :name");
  return {
    savePreset: async (preset) => {
      const { accountId, name } = preset;
      await database.durably(() => save.run({ accountId, name, body: JSON.stringify(preset) }));
    },
    getPreset: async (accountId, name) => presetOf(get.get({ accountId, name })),
    presetsOf: async (accountId) => list.all(accountId).flatMap((row) => presetOf(row) ?? []),
    removePreset: async (accountId, name) =>
      (await database.durably(() => remove.run({ accountId, name }))).changes === 1,
  };
};

const presetOf = (row: Row | undefined): Preset | undefined => row && (JSON.parse(textOf(row, "body")) as Preset);
