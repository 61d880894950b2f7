import type { OperationId } from "../functions/api/routes.ts";
import type { Prefix } from "./files.ts";
import type { TableName } from "./tables.ts";

/**
 * What each function may do, and nothing else: THE table of permissions. A row gives the function the actions and, with
 * them, the environment variables that name what it may reach. A transaction needs the actions of its parts.
 */

type TableAction = "DeleteItem" | "GetItem" | "PutItem" | "UpdateItem";
type FileAction = "AbortMultipartUpload" | "DeleteObject" | "GetObject" | "ListMultipartUploadParts" | "PutObject";

/** The queues of the work beside conversions. */
export const taskIds = ["imports", "webhooks", "erasures"] as const;

export type TaskId = (typeof taskIds)[number];

/** What of a table the actions of a row reach. */
export interface Narrowing {
  /** How the partition keys begin, with `*` for the rest. @default all */
  readonly records?: string;
  /** Attributes that `UpdateItem` may name, those of keys and conditions too. @default all */
  readonly attributes?: readonly string[];
}

export interface Permissions {
  readonly tables: Readonly<Partial<Record<TableName, readonly TableAction[]>>>;
  /** @default whole tables */
  readonly only?: Readonly<Partial<Record<TableName, Narrowing>>>;
  /** Index of the jobs table that may be queried. */
  readonly index?: "by-account" | "overdue";
  /** Whether it may read the stream of changes of the jobs table. */
  readonly stream?: true;
  /** On the objects below each prefix. A signed URL can do what the function that signed it may. */
  readonly files?: Readonly<Partial<Record<Prefix, readonly FileAction[]>>>;
  /** Whether it may send to the lanes' queues. */
  readonly sends?: true;
  /** The queues beside the lanes' that it may send to. */
  readonly asks?: readonly TaskId[];
  /** Whether it reaches strangers' servers, and so is told which addresses beside the public ones it may. */
  readonly outbound?: true;
}

export type EventName =
  | "announceEnd"
  | "convertFile"
  | "deliverWebhook"
  | "eraseFiles"
  | "failJob"
  | "failUpload"
  | "importUpload"
  | "sweepJobs";

const nothing: Permissions = { tables: {} };

/** Every operation with a key reads it, and counts the requests of this second. */
const keyed = { keys: ["GetItem"], quotas: ["UpdateItem"] } as const;
const secondOnly = { quotas: { attributes: ["accountId", "period", "second", "taken"] } } as const;

/** A metered one counts the month, too. */
const metered = { keys: ["GetItem"], quotas: ["GetItem", "UpdateItem"] } as const;

/** What is set on an account; never its plan, and no key. */
const secretsOnly = { keys: { attributes: ["kind", "pk", "webhookSecrets"] } } as const;

/** An idempotency key is held while its request is under way. */
const holdsOnly = { jobs: { attributes: ["expiresAt", "holder", "kind", "pk", "ttl"] } } as const;

/** A first webhook makes its account's secret. */
const accepts: Permissions = {
  tables: { ...metered, keys: ["GetItem", "UpdateItem"], jobs: ["GetItem", "PutItem"] },
  only: secretsOnly,
  sends: true,
};

export const permissions: Readonly<Record<OperationId | "fallback" | EventName, Permissions>> = {
  createUpload: {
    tables: { ...metered, jobs: ["GetItem", "PutItem", "UpdateItem"] },
    only: holdsOnly,
    files: { uploads: ["AbortMultipartUpload", "DeleteObject", "ListMultipartUploadParts", "PutObject"] },
    asks: ["imports"],
  },
  getUpload: {
    tables: { ...keyed, jobs: ["GetItem"] },
    only: secondOnly,
    files: { uploads: ["ListMultipartUploadParts", "PutObject"] },
  },
  completeUpload: {
    tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] },
    only: secondOnly,
    files: { uploads: ["GetObject", "ListMultipartUploadParts"] },
    asks: ["imports"],
  },
  createJob: accepts,
  createBatch: accepts,
  getJob: { tables: { ...keyed, jobs: ["GetItem"] }, only: secondOnly },
  listJobs: { tables: { ...keyed, jobs: ["GetItem"] }, only: secondOnly, index: "by-account" },
  deleteJob: {
    tables: { ...keyed, jobs: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: secondOnly,
    index: "by-account",
    files: { uploads: ["DeleteObject"], results: ["DeleteObject"] },
  },
  downloadResult: {
    tables: { ...metered, jobs: ["GetItem", "UpdateItem"] },
    files: { results: ["GetObject"] },
    asks: ["erasures"],
  },
  getAccount: { tables: metered, only: secondOnly },
  listWebhooks: { tables: { ...keyed, jobs: ["GetItem"] }, only: secondOnly, index: "by-account" },
  redeliverWebhook: { tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] }, only: secondOnly, asks: ["webhooks"] },
  getWebhookSecret: { tables: keyed, only: secondOnly },
  rotateWebhookSecret: {
    tables: { ...keyed, keys: ["GetItem", "UpdateItem"] },
    only: { ...secondOnly, ...secretsOnly },
  },
  listFormats: nothing,
  getOpenapi: nothing,
  getDocs: nothing,
  getDocsFile: nothing,
  getHealth: nothing,
  fallback: nothing,
  convertFile: {
    tables: { jobs: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    files: { uploads: ["GetObject"], results: ["DeleteObject", "PutObject"] },
  },
  importUpload: {
    tables: { jobs: ["GetItem", "UpdateItem"] },
    only: { jobs: { records: "upl_*" } },
    files: { uploads: ["AbortMultipartUpload", "DeleteObject", "GetObject", "ListMultipartUploadParts", "PutObject"] },
    outbound: true,
  },
  announceEnd: { tables: { jobs: ["GetItem", "PutItem"] }, stream: true, asks: ["webhooks"] },
  deliverWebhook: {
    tables: { keys: ["GetItem"], jobs: ["GetItem", "UpdateItem"] },
    only: { keys: { records: "acc_*" }, jobs: { records: "msg_*" } },
    asks: ["webhooks"],
    outbound: true,
  },
  eraseFiles: { tables: { jobs: ["GetItem"] }, files: { results: ["DeleteObject"] } },
  sweepJobs: {
    tables: { jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
    index: "overdue",
    sends: true,
    asks: ["webhooks"],
  },
  failJob: {
    tables: { jobs: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] },
  },
  failUpload: {
    tables: { jobs: ["GetItem", "UpdateItem"] },
    only: { jobs: { records: "upl_*" } },
    files: { uploads: ["DeleteObject"] },
  },
};
