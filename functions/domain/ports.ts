import type { EngineId } from "./engines.ts";
import type { Job, JobOutcome } from "./jobs.ts";
import type { ApiKey } from "./keys.ts";
import type { LaneId } from "./lanes.ts";
import type { Account, PlanId } from "./plans.ts";
import type { QuotaClaim } from "./quotas.ts";
import type { RouteTable } from "./routes.ts";
import type { Upload } from "./uploads.ts";

/** The seam between what the service does and where it runs. One contract suite per port proves every adapter. */

/** Accounts and their API keys. */
export interface AccountStore {
  /** Adds an account. `email_taken`: another account has the address, whatever its case; nothing was added. */
  createAccount(account: Account): Promise<"created" | "email_taken">;
  getAccount(id: string): Promise<Account | undefined>;
  /** All accounts, in pages of the store's own size. */
  listAccounts(): AsyncIterable<Account>;
  /** @returns whether there is such an account. Without a quota the plan's own holds. */
  setPlan(id: string, plan: PlanId, quota: number | undefined): Promise<boolean>;
  addKey(key: ApiKey): Promise<void>;
  /** Reads with the newest state: a key that was revoked a moment ago comes back revoked. */
  findKey(hash: string): Promise<ApiKey | undefined>;
  keysOf(accountId: string): Promise<readonly ApiKey[]>;
  /** @returns whether there is such a key. A key that is revoked already keeps its time. */
  revokeKey(hash: string, now: number): Promise<boolean>;
}

/** The exact count of accepted requests per account and month. */
export interface QuotaStore {
  /** Counts one request, unless the limit is reached: exact under any concurrency. @returns whether it was counted */
  take(claim: QuotaClaim): Promise<boolean>;
  /** @returns the requests counted so far */
  used(accountId: string, month: string): Promise<number>;
}

/** Uploads. */
export interface UploadStore {
  /** Adds the upload and counts its request, both or neither. */
  createUpload(upload: Upload, quota: QuotaClaim): Promise<"created" | "quota_exceeded">;
  /** An upload is found until it expires, and some time longer: check `expiresAt`. */
  getUpload(id: string): Promise<Upload | undefined>;
}

/** What an `Idempotency-Key` stands for. */
export interface IdempotencyClaim {
  /** The client's key, made unique by account and operation. */
  readonly key: string;
  /** SHA-256 of the request that the key was first used with. */
  readonly requestHash: string;
  readonly expiresAt: number;
}

export type JobCreation =
  | { readonly outcome: "created" }
  | { readonly outcome: "quota_exceeded" }
  /** The idempotency key was used before: by which job, and with which request. Nothing was added or counted. */
  | { readonly outcome: "replayed"; readonly jobId: string; readonly requestHash: string };

/** Jobs and their transitions. Every transition is conditional, so effects happen once, whatever the queue delivers. */
export interface JobStore {
  /** Adds the job, the idempotency record and the counted request: all or none. An expired record counts as absent. */
  createJob(job: Job, quota: QuotaClaim, idempotency?: IdempotencyClaim): Promise<JobCreation>;
  /** Reads with the newest state. */
  getJob(id: string): Promise<Job | undefined>;
  /** @returns the job whose result the token downloads; the caller checks `result.expiresAt` and the account */
  findByToken(token: string): Promise<Job | undefined>;
  /**
   * Takes the job for one attempt: only while it is `queued`, or `processing` with `dueAt` in the past. It becomes
   * `processing`, its attempt grows by one, `dueAt` becomes the end of the lease, `startedAt` is set the first time.
   * @returns the job as it now is, or undefined when it cannot be taken
   */
  claim(id: string, now: number, leaseUntil: number): Promise<Job | undefined>;
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

/** A file as it arrived in the store. */
export interface StoredFile {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** How a signed URL answers. */
export interface Delivery {
  readonly filename: string;
  readonly mediaType: string;
  readonly expiresAt: number;
}

/** Files by key. A file is there whole or not at all. */
export interface FileStore {
  /**
   * Stores what the stream gives.
   * @throws RequestError `payload_too_large` when it gives more than `bytesMax`; nothing is stored then, nor when the
   * stream fails
   */
  storeStream(key: string, stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoredFile>;
  /** Stores a local file, which the caller must not use afterwards: it may have been moved. */
  storeFile(key: string, path: string, mediaType: string): Promise<StoredFile>;
  /** @returns the path of a local copy, which may be the file itself: read it, never write it. Undefined: not there. */
  fetch(key: string, folder: string): Promise<string | undefined>;
  /** Deletes what is there; what is not is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** @returns a URL that gives the file without a key until it expires, with Range, ETag and the delivery's headers */
  signedUrl(key: string, delivery: Delivery): Promise<string>;
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

/** Tells waiting requests that a job may have changed. */
export interface JobNotices {
  /** Resolves when the job may have changed, and after `milliseconds` at the latest. */
  changed(jobId: string, milliseconds: number): Promise<void>;
}

/** All that an operation or an event handler reaches of the world. */
export interface Context {
  readonly accounts: AccountStore;
  readonly quotas: QuotaStore;
  readonly uploads: UploadStore;
  readonly jobs: JobStore;
  readonly files: FileStore;
  readonly queue: JobQueue;
  readonly notices: JobNotices;
  /** The routes of this deployment. */
  readonly routes: RouteTable;
  /** The engines of this deployment, with their versions. */
  readonly engines: ReadonlyMap<EngineId, string>;
  readonly uploadBytesMax: number;
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
