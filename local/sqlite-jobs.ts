import { isUnfinished, type Job, type JobOutcome } from "../functions/domain/jobs.ts";
import { shownOptions } from "../functions/domain/options.ts";
import { BEHIND_ALL, pageOf } from "../functions/domain/pages.ts";
import type { Creation, IdempotencyClaim, JobQuery, JobStore, Page } from "../functions/domain/ports.ts";
import { endCount, type QuotaClaim } from "../functions/domain/quotas.ts";
import { messageIdOf, webhookMessageOf } from "../functions/domain/webhooks.ts";
import type { Database } from "./database.ts";
import { type Row, textOf } from "./rows.ts";
import { idempotencyRecords } from "./sqlite-idempotency.ts";
import { quotaCounter } from "./sqlite-quotas.ts";
import { webhookInsert } from "./sqlite-webhooks.ts";

/**
 * A job lies in the table as JSON; the columns beside it repeat what is searched for, and are made in one place.
 *
 * @param onChange is told of each job that was changed, after it is in the database
 */
export const sqliteJobs = (database: Database, onChange: (jobId: string) => void = () => {}): JobStore => {
  const records = jobRecords(database);
  const transitions = jobTransitions(records);
  const told = (jobId: string, changed: boolean): boolean => {
    if (changed) {
      onChange(jobId);
    }
    return changed;
  };
  return {
    createJob: async (job, quota, idempotency) => database.durably(() => records.create(job, quota, idempotency)),
    findReplay: records.findReplay,
    getJob: async (id) => records.get(id),
    listJobs: async (query) => records.list(query),
    expireResult: async (id, at) => {
      await database.durably(() => {
        const job = records.get(id);
        if (job?.result !== undefined && job.result.expiresAt > at) {
          records.put({ ...job, result: { ...job.result, expiresAt: at } });
        }
      });
    },
    eraseJob: (id) => database.durably(() => records.erase(id)),
    findByToken: async (token) => records.findByToken(token),
    cancel: async (id, now) => {
      const job = await database.durably(() => transitions.cancel(id, now));
      told(id, job !== undefined);
      return job;
    },
    claim: async (id, now, leaseUntil) => {
      const job = database.lightly(() => transitions.claim(id, now, leaseUntil));
      told(id, job !== undefined);
      return job;
    },
    progress: async (id, attempt, percent) => {
      told(
        id,
        database.lightly(() => transitions.progress(id, attempt, percent)),
      );
    },
    release: async (id, attempt, dueAt) =>
      told(
        id,
        database.lightly(() => transitions.release(id, attempt, dueAt)),
      ),
    finish: async (id, attempt, outcome, now) =>
      // Its file is on the disk. Where a power failure takes this, the job is unfinished again, and is converted again.
      told(
        id,
        database.lightly(() => transitions.finish(id, attempt, outcome, now)),
      ),
    overdue: async (now, limit) => records.overdue(now, limit),
    postpone: async (id, from, to) =>
      told(
        id,
        database.lightly(() => transitions.postpone(id, from, to)),
      ),
  };
};

/** What changes when a job ends. A password is of no use to one that has ended. */
const endOf = ({ options }: Job, outcome: JobOutcome, now: number): Partial<Job> => {
  const end = { options: shownOptions(options), finishedAt: now };
  if (outcome.status === "failed") {
    return { ...end, status: outcome.status, error: outcome.error };
  }
  return { ...end, ...outcome, ...(outcome.status === "completed" && { progress: 100 }) };
};

type Records = ReturnType<typeof jobRecords>;

/** The transitions that the port promises, inside a transaction: each reads the job, decides, and writes it whole. */
const jobTransitions = ({ get, put, counter }: Records) => {
  const change = (id: string, next: (job: Job) => Partial<Job> | undefined): Job | undefined => {
    const job = get(id);
    const changes = job && next(job);
    return job && changes && put({ ...job, ...changes });
  };
  const end = (job: Job, outcome: JobOutcome, now: number): void => {
    put({ ...job, ...endOf(job, outcome, now) });
    if (outcome.status === "failed" && outcome.givesBack) {
      counter.giveBack(job.accountId, job.quotaMonth);
    }
    const count = endCount(job, outcome.status, now);
    if (count !== undefined) {
      counter.count(count);
    }
  };
  const holds = (job: Job, attempt: number): boolean => job.status === "processing" && job.attempt === attempt;
  return {
    claim: (id: string, now: number, leaseUntil: number): Job | undefined =>
      change(id, (job) => {
        const free = job.status === "queued" || (job.status === "processing" && job.dueAt < now);
        const { attempt, startedAt = now } = job;
        return free ? { status: "processing", attempt: attempt + 1, dueAt: leaseUntil, startedAt } : undefined;
      }),
    cancel: (id: string, now: number): Job | undefined => {
      const job = get(id);
      if (job === undefined || !isUnfinished(job)) {
        return undefined;
      }
      end(job, { status: "cancelled" }, now);
      return job;
    },
    progress: (id: string, attempt: number, percent: number): boolean =>
      change(id, (job) => (holds(job, attempt) ? { progress: percent } : undefined)) !== undefined,
    release: (id: string, attempt: number, dueAt: number): boolean =>
      change(id, (job) => (holds(job, attempt) ? { status: "queued", dueAt } : undefined)) !== undefined,
    finish: (id: string, attempt: number, outcome: JobOutcome, now: number): boolean => {
      const job = get(id);
      const holding = job !== undefined && isUnfinished(job) && job.attempt === attempt;
      if (holding) {
        end(job, outcome, now);
      }
      return holding;
    },
    postpone: (id: string, from: number, to: number): boolean =>
      change(id, (job) => (isUnfinished(job) && job.dueAt === from ? { dueAt: to } : undefined)) !== undefined,
  };
};

const jobRecords = (database: Database) => {
  const [counter, idempotency] = [quotaCounter(database), idempotencyRecords(database)];
  const insert = database.prepare(`
    INSERT INTO jobs (id, body, account_id, status, upload_id, due_at, token, result_key, result_expires_at, record_expires_at)
    VALUES (:id, :body, :accountId, :status, :uploadId, :dueAt, :token, :resultKey, :resultExpiresAt, :recordExpiresAt)`);
  const update = database.prepare(`
    UPDATE jobs SET body = :body, account_id = :accountId, status = :status, upload_id = :uploadId, due_at = :dueAt,
      token = :token, result_key = :resultKey, result_expires_at = :resultExpiresAt, record_expires_at = :recordExpiresAt
    WHERE id = :id`);
  const get = database.prepare("SELECT body FROM jobs WHERE id = ?");
  const byToken = database.prepare("SELECT body FROM jobs WHERE token = ?");
  const overdue = database.prepare("SELECT body FROM jobs WHERE due_at < :now ORDER BY due_at LIMIT :limit");
  const list = database.prepare(
    "SELECT body FROM jobs WHERE account_id = :accountId AND id < :after ORDER BY id DESC LIMIT :limit",
  );
  const listStatus = database.prepare(`
    SELECT body FROM jobs WHERE account_id = :accountId AND status = :status AND id < :after
    ORDER BY id DESC LIMIT :limit`);
  const erase = database.prepare("DELETE FROM jobs WHERE id = ? AND due_at IS NULL");
  const eraseMessage = database.prepare("DELETE FROM webhooks WHERE id = ?");
  const addInput = database.prepare("INSERT OR IGNORE INTO inputs (job_id, upload_id) VALUES (?, ?)");
  const announce = webhookInsert(database);
  const removeInputs = database.prepare("DELETE FROM inputs WHERE job_id = ?");
  return {
    create: (job: Job, quota: QuotaClaim | undefined, claim: IdempotencyClaim | undefined): Creation => {
      const earlier = idempotency.find(claim, job.createdAt);
      if (earlier !== undefined) {
        return earlier;
      }
      if (quota !== undefined && !counter.take(quota)) {
        return { outcome: "quota_exceeded" };
      }
      insert.run(columnsOf(job));
      for (const { uploadId } of job.further ?? []) {
        addInput.run(job.id, uploadId);
      }
      idempotency.remember(claim, job.id);
      return { outcome: "created" };
    },
    get: (id: string): Job | undefined => jobOf(get.get(id)),
    findByToken: (token: string): Job | undefined => jobOf(byToken.get(token)),
    list: ({ accountId, limit, after = BEHIND_ALL, status }: JobQuery): Page<Job> => {
      const query = { accountId, limit: limit + 1, after };
      const rows = status === undefined ? list.all(query) : listStatus.all({ ...query, status });
      return pageOf(
        rows.flatMap((row) => jobOf(row) ?? []),
        limit,
      );
    },
    findReplay: idempotency.findReplay,
    erase: (id: string): boolean => {
      const isGone = erase.run(id).changes === 1;
      if (isGone) {
        eraseMessage.run(messageIdOf(id));
      }
      return isGone;
    },
    put: (job: Job): Job => {
      update.run(columnsOf(job));
      const message = isUnfinished(job) ? undefined : webhookMessageOf(job, job.finishedAt ?? 0);
      if (message !== undefined) {
        announce(message);
      }
      if (job.further !== undefined && !isUnfinished(job)) {
        removeInputs.run(job.id);
      }
      return job;
    },
    overdue: (now: number, limit: number): Job[] => overdue.all({ now, limit }).flatMap((row) => jobOf(row) ?? []),
    counter,
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

const jobOf = (row: Row | undefined): Job | undefined => row && (JSON.parse(textOf(row, "body")) as Job);
