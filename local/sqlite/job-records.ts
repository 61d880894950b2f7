import type { QuotaClaim } from "../../functions/domain/accounts/quotas.ts";
import { exportIdOf, exportMessageOf } from "../../functions/domain/exports/job-export.ts";
import { furtherUploadsOf, isUnfinished, type Job } from "../../functions/domain/jobs/job.ts";
import { jobPage } from "../../functions/domain/jobs/job-page.ts";
import { storedJob } from "../../functions/domain/jobs/stored-job.ts";
import type { JobEnd } from "../../functions/domain/jobs/transitions.ts";
import { pipelineMessagesOf } from "../../functions/domain/pipelines/pipeline-message.ts";
import type { Creation, IdempotencyClaim, JobQuery, Page } from "../../functions/domain/ports.ts";
import { messageIdsOf, type WebhookMessage } from "../../functions/domain/webhooks/message.ts";
import { webhookMessagesOf } from "../../functions/domain/webhooks/webhook.ts";
import type { Database } from "./database.ts";
import { idempotencyRecords } from "./idempotency.ts";
import { jobsOfPipeline, pipelineReader } from "./pipeline-reader.ts";
import { quotaCounter } from "./quotas.ts";
import { type Row, textOf } from "./rows.ts";
import { webhookInsert } from "./webhooks.ts";

/** What is recorded with a job that has ended already. */
export interface EndedCreation {
  readonly quota: QuotaClaim | undefined;
  readonly idempotency: IdempotencyClaim | undefined;
  readonly now: number;
  /** Whether the count is on the disk already: see `reservations.ts`. @default false */
  readonly isReserved?: boolean;
}

export type JobRecords = ReturnType<typeof jobRecords>;

/**
 * The rows of jobs, read and written in the caller's transaction. A job is stored as JSON; additional columns contain
 * the searched fields.
 */
export const jobRecords = (database: Database) => {
  const [counter, idempotency] = [quotaCounter(database), idempotencyRecords(database)];
  const insert = database.prepare(`
    INSERT INTO jobs (id, body, account_id, status, upload_id, due_at, token, result_key, result_expires_at, record_expires_at)
    VALUES (:id, :body, :accountId, :status, :uploadId, :dueAt, :token, :resultKey, :resultExpiresAt, :recordExpiresAt)`);
  // The other columns never change. SQLite updates the indexes of all columns that a statement sets.
  const update = database.prepare("UPDATE jobs SET body = :body, status = :status, due_at = :dueAt WHERE id = :id");
  const updateResult = database.prepare(`
    UPDATE jobs SET body = :body, status = :status, due_at = :dueAt,
      token = :token, result_key = :resultKey, result_expires_at = :resultExpiresAt
    WHERE id = :id`);
  const write = (job: Job): void => {
    const { id, body, status, dueAt, token, resultKey, resultExpiresAt } = columnsOf(job);
    const changed = { id, body, status, dueAt };
    if (job.result === undefined) {
      update.run(changed);
    } else {
      updateResult.run({ ...changed, token, resultKey, resultExpiresAt });
    }
  };
  const get = database.prepare("SELECT body FROM jobs WHERE id = ?");
  const newest = database.prepare("SELECT body FROM jobs ORDER BY id DESC");
  const byToken = database.prepare("SELECT body FROM jobs WHERE token = ?");
  const overdue = database.prepare("SELECT body FROM jobs WHERE due_at < :now ORDER BY due_at LIMIT :limit");
  const list = database.prepare(`
    SELECT id, body FROM jobs WHERE account_id = :accountId AND id >= :from AND id < :before
    ORDER BY id DESC LIMIT :limit`);
  const listStatus = database.prepare(`
    SELECT id, body FROM jobs WHERE account_id = :accountId AND status = :status AND id >= :from AND id < :before
    ORDER BY id DESC LIMIT :limit`);
  const erase = database.prepare("DELETE FROM jobs WHERE id = ?");
  const eraseMessage = database.prepare("DELETE FROM webhooks WHERE id = ?");
  const addInput = database.prepare("INSERT OR IGNORE INTO inputs (job_id, upload_id) VALUES (?, ?)");
  const announce = webhookInsert(database);
  const removeInputs = database.prepare("DELETE FROM inputs WHERE job_id = ?");
  const create = (job: Job, quota: QuotaClaim | undefined, claim: IdempotencyClaim | undefined): Creation => {
    const earlier = idempotency.find(claim, job.createdAt);
    if (earlier !== undefined) {
      return earlier;
    }
    const taken = quota === undefined ? "taken" : counter.take(quota);
    if (taken !== "taken") {
      return { outcome: taken };
    }
    insert.run(columnsOf(job));
    for (const { uploadId } of furtherUploadsOf(job)) {
      addInput.run(job.id, uploadId);
    }
    idempotency.remember(claim, job.id);
    return { outcome: "created" };
  };
  const pipelines = pipelineReader(database);
  /** @returns the messages about a pipeline whose last job has ended */
  const pipelineMessages = ({ pipelineId }: Job, now: number): readonly WebhookMessage[] => {
    const pipeline = pipelineId === undefined ? undefined : pipelines.get(pipelineId);
    if (pipeline === undefined || (pipeline.webhook ?? pipeline.endpoints) === undefined) {
      return [];
    }
    const jobs = jobsOfPipeline(pipeline, (id) => jobOf(get.get(id)));
    return pipelineMessagesOf(pipeline, jobs, now);
  };
  /** Records the effects of a job's end: the messages about it, the quota and the daily count. */
  const recordEnd = (ended: Job, { returnedTo, count, detail }: JobEnd, now: number): void => {
    for (const message of [...webhookMessagesOf(ended, now), ...pipelineMessages(ended, now)]) {
      announce(message);
    }
    const exporting = exportMessageOf(ended, now);
    if (exporting !== undefined) {
      announce(exporting);
    }
    if (returnedTo !== undefined) {
      counter.refund(ended, returnedTo);
    }
    if (count !== undefined) {
      counter.count(count);
    }
    if (detail !== undefined) {
      counter.detail(detail);
    }
  };
  return {
    create,
    /** Adds a job that has ended already. */
    createEnded: (job: Job, end: JobEnd, { quota, idempotency: claim, now }: EndedCreation): Creation => {
      const ended = { ...job, ...end.changes };
      const creation = create(ended, quota, claim);
      if (creation.outcome === "created") {
        recordEnd(ended, end, now);
      }
      return creation;
    },
    get: (id: string): Job | undefined => jobOf(get.get(id)),
    findByToken: (token: string): Job | undefined => jobOf(byToken.get(token)),
    list: (query: JobQuery): Promise<Page<Job>> => {
      const { accountId, status } = query;
      // Whether a completed job has expired is not stored.
      const stored = status === "expired" ? "completed" : status;
      return jobPage(query, async (range) => {
        const values = { accountId, ...range };
        const rows = stored === undefined ? list.all(values) : listStatus.all({ ...values, status: stored });
        return rows.map((row) => ({ id: textOf(row, "id"), record: jobOf(row) }));
      });
    },
    latest: (milliseconds: number): Job[] => {
      const found: Job[] = [];
      // IDs start with the time.
      for (const row of newest.iterate()) {
        const job = jobOf(row);
        if (job === undefined || job.createdAt < (found[0] ?? job).createdAt - milliseconds) {
          break;
        }
        found.push(job);
      }
      return found;
    },
    findReplay: idempotency.findReplay,
    /** Deletes the job and the messages about it. */
    erase: (job: Job): void => {
      erase.run(job.id);
      for (const id of [...messageIdsOf(job), exportIdOf(job.id)]) {
        eraseMessage.run(id);
      }
    },
    put: (job: Job): Job => {
      write(job);
      return job;
    },
    /** Writes the end of a job: its record, the quota, the daily count, and the messages about it. */
    end: (job: Job, end: JobEnd, now: number): void => {
      const ended = { ...job, ...end.changes };
      write(ended);
      if (furtherUploadsOf(job).length > 0) {
        removeInputs.run(job.id);
      }
      recordEnd(ended, end, now);
    },
    overdue: (now: number, limit: number): Job[] => overdue.all({ now, limit }).flatMap((row) => jobOf(row) ?? []),
  };
};

const columnsOf = (job: Job) => ({
  id: job.id,
  body: JSON.stringify(job),
  accountId: job.accountId,
  status: job.status,
  uploadId: job.uploadId,
  dueAt: isUnfinished(job) ? job.dueAt : null,
  token: job.result?.token ?? null,
  resultKey: job.result?.key ?? null,
  resultExpiresAt: job.result?.expiresAt ?? null,
  recordExpiresAt: job.recordExpiresAt,
});

const jobOf = (row: Row | undefined): Job | undefined => row && storedJob(JSON.parse(textOf(row, "body")) as Job);
