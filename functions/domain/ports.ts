import type {
  AccountStore,
  AllowanceStore,
  BillingService,
  KeyUses,
  MailSender,
  SessionStore,
} from "./account-ports.ts";
import type { EngineId } from "./engines.ts";
import type { FileStore } from "./file-ports.ts";
import type { Job, JobOutcome, JobStatus } from "./jobs.ts";
import type { LaneId } from "./lanes.ts";
import type { Metrics } from "./metrics.ts";
import type { MonthUse, QuotaClaim } from "./quotas.ts";
import type { RouteTable } from "./routes.ts";
import type { Upload, UploadEnd } from "./uploads.ts";
import type { WebhookAttempt, WebhookMessage } from "./webhooks.ts";

/** The seam between what the service does and where it runs. One contract suite per port proves every adapter. */

/** The burst limit: how many requests an account may make at once. */
export interface BurstStore {
  /**
   * Takes one request out of this second's, across all processes of the deployment.
   * @returns how many are left, or -1 when there was none left to take
   */
  take(accountId: string, now: number, limit: number): Promise<number>;
}

/** The exact count of accepted requests per account and month. */
export interface QuotaStore {
  /** Counts one request, unless the limit is reached: exact under any concurrency. @returns whether it was counted */
  take(claim: QuotaClaim): Promise<boolean>;
  /** @returns the requests counted so far */
  used(accountId: string, month: string): Promise<number>;
  /** @returns the same, and what is counted of each day of it */
  useOf(accountId: string, month: string): Promise<MonthUse>;
}

/** Uploads. */
export interface UploadStore extends KeyReplays {
  /**
   * Adds the upload, its idempotency record and the counted request: all or none. Without a quota nothing is counted. An
   * expired record counts as absent.
   */
  createUpload(upload: Upload, quota: QuotaClaim | undefined, idempotency?: IdempotencyClaim): Promise<Creation>;
  /** An upload is found until it expires, and some time longer: check `expiresAt`. Reads with the newest state. */
  getUpload(id: string): Promise<Upload | undefined>;
  /** Notes that the client has sent all, once: while it is pending and not noted yet. @returns whether it was noted now */
  markSent(id: string, now: number): Promise<boolean>;
  /** Ends the upload, while it is pending. @returns whether it ended now */
  settle(id: string, end: UploadEnd): Promise<boolean>;
  /** Lets the upload expire now, because its file is gone. */
  expire(id: string, now: number): Promise<void>;
}

/** Which idempotency keys have a request under way. The record that a request ends with is what makes it happen once. */
export interface KeyHolds {
  /**
   * Holds the key for this request, unless another one holds it. Should it never be released, it ends by itself when the
   * request cannot be under way any more.
   * @returns whether it is held now
   */
  hold(key: string, requestId: string, now: number): Promise<boolean>;
  /** Ends the hold, while it is this request's. */
  release(key: string, requestId: string): Promise<void>;
}

/** What an `Idempotency-Key` stands for. */
export interface IdempotencyClaim {
  /** The client's key, made unique by account and operation. */
  readonly key: string;
  /** SHA-256 of the request that the key was first used with. */
  readonly requestHash: string;
  readonly expiresAt: number;
}

/** The idempotency key was used before: for which record, and with which request. Nothing was added or counted. */
export interface Replay {
  readonly outcome: "replayed";
  readonly id: string;
  readonly requestHash: string;
}

export type Creation = { readonly outcome: "created" } | { readonly outcome: "quota_exceeded" } | Replay;

/** What idempotency keys were used for. */
export interface KeyReplays {
  /** @returns what `createUpload` or `createJob` would say of the key, unless its record has expired; nothing is changed */
  findReplay(key: string, now: number): Promise<Replay | undefined>;
}

/** A page of a list: the newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; undefined: this was the last. */
  readonly next?: string;
}

/** Jobs and their transitions. Every transition is conditional, so effects happen once, whatever the queue delivers. */
export interface JobStore extends KeyReplays {
  /** Adds the job, the idempotency record and the counted request: all or none. An expired record counts as absent. */
  createJob(job: Job, quota: QuotaClaim | undefined, idempotency?: IdempotencyClaim): Promise<Creation>;
  /** Reads with the newest state. */
  getJob(id: string): Promise<Job | undefined>;
  /** @returns jobs of the account, the newest first, from behind `after` on; `after` is a page's `next` */
  listJobs(query: JobQuery): Promise<Page<Job>>;
  /** Lets the result of a completed job expire at this time, when that is before its own. */
  expireResult(id: string, at: number): Promise<void>;
  /**
   * Deletes the record of a job that has ended, with what leads to it and the message that tells its webhook of it, sent or
   * not. @returns whether it is gone now
   */
  eraseJob(id: string): Promise<boolean>;
  /** @returns the job whose result the token downloads; the caller checks `result.expiresAt` and the account */
  findByToken(token: string): Promise<Job | undefined>;
  /**
   * Takes the job for one attempt: only while it is `queued`, or `processing` with `dueAt` in the past. It becomes
   * `processing`, its attempt grows by one, `dueAt` becomes the end of the lease, `startedAt` is set the first time.
   * @returns the job as it now is, or undefined when it cannot be taken
   */
  claim(id: string, now: number, leaseUntil: number): Promise<Job | undefined>;
  /** Ends the job, while it is unfinished, whoever holds it. @returns the job as it was, or undefined */
  cancel(id: string, now: number): Promise<Job | undefined>;
  /** Sets the progress, percent, while the attempt holds the job. */
  progress(id: string, attempt: number, percent: number): Promise<void>;
  /** Puts the job back to `queued` with this `dueAt`, while the attempt holds it. @returns whether it did */
  release(id: string, attempt: number, dueAt: number): Promise<boolean>;
  /**
   * Ends the job, while it is unfinished and at this attempt (0: never claimed). A completed one is found by its
   * token from now on; one that gives back lowers the count of its month, both or neither.
   * @returns whether it ended now
   */
  finish(id: string, attempt: number, outcome: JobOutcome, now: number): Promise<boolean>;
  /** @returns unfinished jobs whose `dueAt` has passed, the longest overdue first */
  overdue(now: number, limit: number): Promise<readonly Job[]>;
  /** Moves `dueAt`, while the job is unfinished and `dueAt` is still `from`. @returns whether it did */
  postpone(id: string, from: number, to: number): Promise<boolean>;
}

/** Which jobs are listed. */
export interface JobQuery {
  readonly accountId: string;
  readonly limit: number;
  readonly after?: string;
  readonly status?: JobStatus;
}

/** Messages to webhooks. */
export interface WebhookStore {
  /** Adds the message, unless there is one with its id. @returns whether it was added */
  create(message: WebhookMessage): Promise<boolean>;
  get(id: string): Promise<WebhookMessage | undefined>;
  /** @returns messages of the account, the newest first */
  list(query: {
    readonly accountId: string;
    readonly limit: number;
    readonly after?: string;
  }): Promise<Page<WebhookMessage>>;
  /** Takes a pending message for one attempt: only while `dueAt` is `from`; it then becomes `until`. @returns whether it did */
  claim(id: string, from: number, until: number): Promise<boolean>;
  /** Adds an attempt and sets what becomes of the message. */
  record(id: string, attempt: WebhookAttempt, next: Pick<WebhookMessage, "status" | "dueAt">): Promise<void>;
  /** Makes it pending again, to be tried at this time. @returns whether there is such a message */
  revive(id: string, dueAt: number): Promise<boolean>;
  /** Deletes the message; one that is not there is no error. */
  remove(id: string): Promise<void>;
  /** @returns pending messages whose `dueAt` has passed, the longest overdue first */
  due(now: number, limit: number): Promise<readonly WebhookMessage[]>;
}

/** A message that a job waits in its lane. */
export interface JobMessage {
  readonly jobId: string;
  readonly accountId: string;
}

/** The queue of each lane. Delivery is at least once, in no promised order, fair between accounts. */
export interface JobQueue {
  send(lane: LaneId, message: JobMessage): Promise<void>;
}

/** Work in the background beside conversions. Delivery is at least once, in no promised order. */
export interface TaskQueue {
  /** Asks a worker to fetch or to look at a pending upload. */
  importUpload(uploadId: string): Promise<void>;
  /** Asks a worker to erase the files of a job whose result has expired, in so many milliseconds: a quarter of an hour at most. */
  erase(jobId: string, inMs: number): Promise<void>;
  /** Asks a worker to try a message to a webhook, in so many milliseconds: a quarter of an hour at most. */
  deliver(messageId: string, inMs: number): Promise<void>;
}

/** Tells waiting requests that a job or an upload may have changed. */
export interface JobNotices {
  /** Resolves when what has the id may have changed, and after `milliseconds` at the latest. */
  changed(id: string, milliseconds: number): Promise<void>;
}

/**
 * What there is room for. Each takes its place at once, before anything is stored or counted.
 * @throws RequestError `temporarily_unavailable` with `Retry-After`, when there is none
 */
export interface Admission {
  /** @returns gives the place back: call it when the job's message is in the queue, or none will be */
  job(accountId: string): () => void;
  /**
   * @param party whose file it is, an account or an upload: room that is kept for one is not all there is
   * @returns gives the room back: call it when the file is stored, or will not be
   */
  file(party: string, bytes: number): () => void;
}

/** All that an operation or an event handler reaches of the world. */
export interface Context {
  /** @default there is room for all: on AWS queue and files have no bound, and the stage answers 429 to who comes too fast */
  readonly admission?: Admission;
  readonly accounts: AccountStore;
  readonly keyUses: KeyUses;
  readonly sessions: SessionStore;
  readonly allowances: AllowanceStore;
  /** @default codes cannot be sent, so nobody can sign in by one */
  readonly mail?: MailSender;
  /** @default plans are asked of the operator */
  readonly billing?: BillingService;
  /** Whether visitors without an account may try a few files a day. @default no */
  readonly visitors?: boolean;
  /** What the distribution before the API sends along, so that it is believed what it says of clients. @default there is none */
  readonly edgeSecret?: string;
  /** How many proxies before the service say truly where a request comes from. @default none */
  readonly trustedProxies?: number;
  readonly quotas: QuotaStore;
  readonly uploads: UploadStore;
  readonly jobs: JobStore;
  readonly files: FileStore;
  readonly queue: JobQueue;
  readonly tasks: TaskQueue;
  readonly webhooks: WebhookStore;
  readonly bursts: BurstStore;
  readonly holds: KeyHolds;
  readonly notices: JobNotices;
  readonly metrics: Metrics;
  /** The routes of this deployment. */
  readonly routes: RouteTable;
  /** The engines of this deployment, with their versions. */
  readonly engines: ReadonlyMap<EngineId, string>;
  readonly uploadBytesMax: number;
  /** Addresses and networks beside the public internet that files are fetched from and webhooks sent to. @default none */
  readonly importAllowed?: readonly string[];
  /** A folder for files between fetch and store; on the file system of the file store where there is one. */
  readonly scratchFolder: string;
  /** The program that a converter process runs. */
  readonly converterEntry: string;
  /** Where clients reach the service, when that is not the host they name, without a slash at the end. */
  readonly publicUrl?: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
}
