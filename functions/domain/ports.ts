import type {
  AccountStore,
  AllowanceStore,
  BillingService,
  KeyUses,
  MailSender,
  SessionStore,
} from "./accounts/account-ports.ts";
import type { MonthUse, QuotaClaim } from "./accounts/quotas.ts";
import type { MonthDetails } from "./accounts/use-details.ts";
import type { EngineId } from "./conversions/engines.ts";
import type { LaneId } from "./conversions/lanes.ts";
import type { RouteTable } from "./conversions/plan.ts";
import type { ExportAttempt } from "./exports/job-export.ts";
import type { Sealer } from "./exports/sealer.ts";
import type { StorageStore, StorageTester } from "./exports/storage.ts";
import type { FileStore } from "./file-ports.ts";
import type { Admission, Streams } from "./gateway-ports.ts";
import type { DirectConversions } from "./jobs/direct-conversions.ts";
import type { Job, JobMove, JobOutcome } from "./jobs/job.ts";
import type { JobFilter } from "./jobs/job-filter.ts";
import type { StartedInputs } from "./jobs/transitions.ts";
import type { Metrics } from "./metrics.ts";
import type { Operating } from "./operators/operating.ts";
import type { PageMachines } from "./page-machines.ts";
import type { PipelineStore, PresetStore } from "./pipelines/pipeline-ports.ts";
import type { RequestLog } from "./requests/logged-request.ts";
import type { IdentityProvider } from "./sessions/identity.ts";
import type { EngineDays } from "./status/engine-days.ts";
import type { AccountSlots, TaskQueue } from "./task-ports.ts";
import type { Upload, UploadEnd } from "./uploads/upload.ts";
import type { WebhookStore, WebhookTester } from "./webhooks/webhook-ports.ts";

/** The ports between the service and its environment. One contract test suite per port verifies every adapter. */

/** The burst limit: the requests per second of an account. */
export interface BurstStore {
  /**
   * Takes one request from the limit of this second, across all processes of the deployment.
   * @returns the remaining requests, or -1 when the limit was reached
   */
  take(accountId: string, now: number, limit: number): Promise<number>;
}

/** The exact count of accepted requests per account and month. */
export interface QuotaStore {
  /**
   * Counts one request, for its key as well if that has a limit, unless a limit is reached; exact under any concurrency.
   * @returns whether it was counted
   */
  take(claim: QuotaClaim): Promise<boolean>;
  /** @returns the requests counted so far */
  used(accountId: string, month: string): Promise<number>;
  /** @returns the requests counted for each key, without keys that have none */
  usedByKeys(accountId: string, month: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** @returns the same, with the daily counts */
  useOf(accountId: string, month: string): Promise<MonthUse>;
  /** @returns the ends of jobs in the month by day, key, formats and outcome */
  detailsOf(accountId: string, month: string): Promise<MonthDetails>;
  /** Adds the usage of a month that has none, from another deployment. @returns whether it was added */
  addMonth(accountId: string, month: string, use: MonthUse): Promise<boolean>;
}

/** Uploads. */
export interface UploadStore extends KeyReplays {
  /**
   * Adds the upload, its idempotency record and the metered request in one transaction. Without a quota claim nothing
   * is counted. An expired record counts as absent.
   */
  createUpload(upload: Upload, quota: QuotaClaim | undefined, idempotency?: IdempotencyClaim): Promise<Creation>;
  /** Finds an upload until some time after its expiry: check `expiresAt`. Strongly consistent. */
  getUpload(id: string): Promise<Upload | undefined>;
  /**
   * Records once that the client has sent everything, while the upload is pending. @returns whether it was recorded now
   */
  markSent(id: string, now: number): Promise<boolean>;
  /** Ends the upload, while it is pending. @returns whether it ended now */
  settle(id: string, end: UploadEnd): Promise<boolean>;
  /** Expires the upload now, because its file was deleted. */
  expire(id: string, now: number): Promise<void>;
}

/**
 * Locks of idempotency keys with a request in progress. The final record of a request, not the lock, prevents
 * duplicates.
 */
export interface KeyHolds {
  /**
   * Locks the key for this request, unless another request holds it. An unreleased lock expires when the request can no
   * longer be in progress.
   * @returns whether the key is locked for this request
   */
  hold(key: string, requestId: string, now: number): Promise<boolean>;
  /** Releases the lock if it belongs to this request. */
  release(key: string, requestId: string): Promise<void>;
}

/** The claim of an `Idempotency-Key`. */
export interface IdempotencyClaim {
  /** The client's key, unique per account and operation. */
  readonly key: string;
  /** SHA-256 of the request that the key was first used with. */
  readonly requestHash: string;
  readonly expiresAt: number;
}

/** An earlier use of the idempotency key: its record and request. Nothing was added or counted. */
export interface Replay {
  readonly outcome: "replayed";
  readonly id: string;
  readonly requestHash: string;
}

/** `key_quota_exceeded`: the quota of the account has room, but the limit of the API key is reached. */
export type Refused = { readonly outcome: "key_quota_exceeded" | "quota_exceeded" };

export type Creation = { readonly outcome: "created" } | Refused | Replay;

/** Earlier uses of idempotency keys. */
export interface KeyReplays {
  /**
   * @returns the earlier use that `createUpload` or `createJob` would return, unless its record has expired. Read-only
   */
  findReplay(key: string, now: number): Promise<Replay | undefined>;
}

/** A page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The start of the next page; undefined: this is the last page. */
  readonly next?: string;
}

/**
 * Jobs and their transitions, as defined by `jobs/transitions.ts`. Every transition is conditional, so effects happen
 * once, regardless of duplicate deliveries.
 */
export interface JobStore extends KeyReplays {
  /**
   * Adds the job, the idempotency record and the metered request in one transaction. An expired record counts as
   * absent.
   *
   * @param created called when the job exists, perhaps before it is committed or permanent; awaited. Not if it was not
   * created
   */
  createJob(
    job: Job,
    quota: QuotaClaim | undefined,
    idempotency?: IdempotencyClaim,
    created?: () => Promise<void>,
  ): Promise<Creation>;
  /** Strongly consistent. */
  getJob(id: string): Promise<Job | undefined>;
  /**
   * Reads a limited number of jobs, so a page can have fewer than `limit` and still a `next`.
   * @returns jobs of the account that match the filter, newest first, after `after` (the `next` of a page)
   */
  listJobs(query: JobQuery): Promise<Page<Job>>;
  /** Records an attempt to export the result while it is pending. A missing job is not an error. */
  recordExport(id: string, attempt: ExportAttempt): Promise<void>;
  /** Expires the result of a completed job at this time, if that is earlier than its own expiry. */
  expireResult(id: string, at: number): Promise<void>;
  /**
   * Deletes the record of an ended job, with its download token and the messages about it, sent or not. @returns whether
   * it was deleted
   */
  eraseJob(id: string): Promise<boolean>;
  /** @returns the job whose result the token downloads; the caller checks `result.expiresAt` and the account */
  findByToken(token: string): Promise<Job | undefined>;
  /**
   * Claims the job for one attempt: only while it is `queued`, or `processing` with `dueAt` in the past, and in the lane
   * of the message, if given. Sets `processing`, increments the attempt, sets `dueAt` to the end of the lease, and `startedAt` on the first claim.
   * @returns the updated job, or undefined when it cannot be claimed
   */
  claim(id: string, now: number, from?: LaneId): Promise<Job | undefined>;
  /**
   * Starts a job that waits for its inputs, with this `dueAt`. @returns the job, if this call started it
   */
  start(id: string, inputs: StartedInputs, dueAt: number): Promise<Job | undefined>;
  /** Ends the job while it is unfinished, whichever attempt holds it. @returns the previous job, or undefined */
  cancel(id: string, now: number): Promise<Job | undefined>;
  /** Sets the progress, percent, while the attempt holds the job. */
  progress(id: string, attempt: number, percent: number): Promise<void>;
  /**
   * Puts the job back to `queued` with this `dueAt`, while the attempt holds it; with `move`, into that lane.
   * @returns whether it did
   */
  release(id: string, attempt: number, dueAt: number, move?: JobMove): Promise<boolean>;
  /**
   * Ends the job while it is unfinished and at this attempt (0: never claimed). In the same transaction, a completed
   * job becomes available by its token, and a refund lowers the count of its month.
   * @returns whether it ended now
   */
  finish(id: string, attempt: number, outcome: JobOutcome, now: number): Promise<boolean>;
  /** @returns unfinished jobs whose `dueAt` has passed, most overdue first */
  overdue(now: number, limit: number): Promise<readonly Job[]>;
  /** Moves `dueAt`, while the job is unfinished and `dueAt` is still `from`. @returns whether it did */
  postpone(id: string, from: number, to: number): Promise<boolean>;
}

/** A query for jobs. */
export interface JobQuery extends JobFilter {
  readonly accountId: string;
  readonly limit: number;
  readonly after?: string;
  /** Decides which completed jobs are `expired`. */
  readonly now: number;
}

/** A queue message: a job is ready in its lane. */
export interface JobMessage {
  readonly jobId: string;
  readonly accountId: string;
  /** A deployment can convert large inputs on other machines. @default unknown */
  readonly inputBytes?: number;
  /** The lane that the message was sent to. @default unknown: an earlier release did not write it */
  readonly lane?: LaneId;
}

/** The queue of each lane. At-least-once delivery, unordered, fair between accounts. */
export interface JobQueue {
  send(lane: LaneId, message: JobMessage): Promise<void>;
}

/** Notifies waiting requests that a job or an upload may have changed. */
export interface JobNotifications {
  /** Resolves when the record with the ID may have changed, and after `milliseconds` at the latest. */
  changed(id: string, milliseconds: number): Promise<void>;
}

/** Everything that an operation or an event handler can access. */
export interface Context {
  /** @default web pages are opened here, or not at all */
  readonly pageMachines?: PageMachines;
  /** @default unlimited: on AWS the queue and the file store are unbounded, and API Gateway throttles with 429 */
  readonly admission?: Admission;
  readonly accounts: AccountStore;
  readonly keyUses: KeyUses;
  readonly sessions: SessionStore;
  readonly allowances: AllowanceStore;
  /** @default sign-in codes are unavailable */
  readonly mail?: MailSender;
  /** Whether sign-in codes are emailed, if there is mail. @default yes */
  readonly signInCodes?: boolean;
  /** @default there is no identity provider to sign in with */
  readonly identity?: IdentityProvider;
  /** @default plans are requested from the operator */
  readonly billing?: BillingService;
  /** @default conversions are not counted, and the status page has no history */
  readonly engineDays?: EngineDays;
  /** What the operators of the deployment see. @default nobody operates it in the dashboard */
  readonly operating?: Operating;
  /** @default requests are not logged */
  readonly requestLog?: RequestLog;
  /** Whether visitors without an account can convert a few files a day. @default no */
  readonly visitors?: boolean;
  /** The secret with which the distribution authenticates its forwarding headers. @default no distribution */
  readonly edgeSecret?: string;
  /** The number of trusted proxies in front of the service. @default none */
  readonly trustedProxies?: number;
  readonly quotas: QuotaStore;
  readonly uploads: UploadStore;
  readonly jobs: JobStore;
  readonly pipelines: PipelineStore;
  readonly presets: PresetStore;
  readonly files: FileStore;
  readonly queue: JobQueue;
  /** @default all conversions are queued, as on AWS */
  readonly direct?: DirectConversions;
  readonly tasks: TaskQueue;
  readonly webhooks: WebhookStore;
  readonly storages: StorageStore;
  readonly tryStorage: StorageTester;
  readonly tryWebhook: WebhookTester;
  readonly sealer: Sealer;
  readonly bursts: BurstStore;
  readonly holds: KeyHolds;
  readonly slots: AccountSlots;
  readonly notifications: JobNotifications;
  /** @default responses cannot be streamed, as on AWS */
  readonly streams?: Streams;
  readonly metrics: Metrics;
  /** The routes of this deployment. */
  readonly routes: RouteTable;
  /** The engines of this deployment, with their versions. */
  readonly engines: ReadonlyMap<EngineId, string>;
  readonly uploadBytesMax: number;
  /** Private addresses and networks that files can be fetched from and webhooks sent to. @default none */
  readonly importAllowed?: readonly string[];
  /** A folder for temporary files; on the file system of the file store, if there is one. */
  readonly scratchFolder: string;
  /** The program that a converter process runs. */
  readonly converterEntry: string;
  /** The public URL of the service, if it differs from the requested host, without a trailing slash. */
  readonly publicUrl?: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
}
