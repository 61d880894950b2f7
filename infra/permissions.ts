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
  /** How the partition keys begin, with `*` for the rest; several ways in a list. @default all */
  readonly records?: string | readonly string[];
  /** Attributes that `UpdateItem` may name, those of keys and conditions too. @default all */
  readonly attributes?: readonly string[];
}

export interface Permissions {
  readonly tables: Readonly<Partial<Record<TableName, readonly TableAction[]>>>;
  /** @default whole tables */
  readonly only?: Readonly<Partial<Record<TableName, Narrowing>>>;
  /** Index of the jobs table that may be queried. */
  readonly index?: "by-account" | "overdue";
  /** Whether it may ask the index of the keys table what an account has: keys, sessions, passkeys. */
  readonly lists?: true;
  /** Whether it may read the stream of changes of the jobs table. */
  readonly stream?: true;
  /** On the objects below each prefix. A signed URL can do what the function that signed it may. */
  readonly files?: Readonly<Partial<Record<Prefix, readonly FileAction[]>>>;
  /** Whether it may send to the lanes' queues. */
  readonly sends?: true;
  /** The queues beside the lanes' that it may send to. */
  readonly asks?: readonly TaskId[];
  /** Whether it may send mail, where the deployment can. */
  readonly mails?: true;
  /** Whether it is given what the payment service knows the operator by. */
  readonly pays?: true;
  /** Whether it tells what the deployment offers: mail, payments. */
  readonly offers?: true;
  /** Whether it may put the pages of the dashboard into their bucket. */
  readonly places?: true;
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
  | "placePages"
  | "sweepJobs";

const nothing: Permissions = { tables: {} };

/** Every operation with a key or a session reads it, notes when it was used, and counts the requests of this second. */
const keyed = { keys: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] } as const;
const sessionOnly = { keys: { attributes: ["kind", "lastUsedAt", "pk"] } } as const;
const useOnly = {
  ...sessionOnly,
  quotas: { attributes: ["accountId", "period", "second", "taken", "usedAt"] },
} as const;

/** A metered one counts the month and its days, too. */
const metered = { ...keyed, quotas: ["GetItem", "UpdateItem"] } as const;

/** Who is signed in comes without a key, whose use would be noted. @param attributes what is changed of the account or its keys */
const signedIn = (...attributes: string[]) => ({
  keys: { attributes: [...sessionOnly.keys.attributes, ...attributes] },
  quotas: { attributes: ["accountId", "period", "second", "taken"] },
});

/** What is counted of who is not signed in: `allowance#…`. */
const allowanceOnly = { attributes: ["accountId", "period", "taken", "ttl"] } as const;

/** The keys that sessions are signed with, of which there is a new one each month. */
const SIGNING_ATTRIBUTES = ["keys", "kind", "pk", "version"] as const;

/** What is set on an account; never its plan, and no key. */
const secretsOnly = { keys: { attributes: [...sessionOnly.keys.attributes, "webhookSecrets"] } } as const;

/** A cancelled job is counted on its day (functions/adapters/dynamo-quotas.ts), which lowers no quota. */
const cancelledOnly = {
  ...useOnly,
  quotas: {
    attributes: [...useOnly.quotas.attributes, "ttl", ...Array.from({ length: 31 }, (_, index) => `${index + 1}x`)],
  },
};

/** An idempotency key is held while its request is under way. */
const holdsOnly = { jobs: { attributes: ["expiresAt", "holder", "kind", "pk", "ttl"] } } as const;

/** A first webhook makes its account's secret. */
const accepts: Permissions = {
  tables: { ...metered, jobs: ["GetItem", "PutItem"] },
  only: secretsOnly,
  sends: true,
};

export const permissions: Readonly<Record<OperationId | "fallback" | EventName, Permissions>> = {
  createUpload: {
    tables: { ...metered, jobs: ["GetItem", "PutItem", "UpdateItem"] },
    only: { ...sessionOnly, ...holdsOnly },
    files: { uploads: ["AbortMultipartUpload", "DeleteObject", "ListMultipartUploadParts", "PutObject"] },
    asks: ["imports"],
  },
  getUpload: {
    tables: { ...keyed, jobs: ["GetItem"] },
    only: useOnly,
    files: { uploads: ["ListMultipartUploadParts", "PutObject"] },
  },
  completeUpload: {
    tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] },
    only: useOnly,
    files: { uploads: ["GetObject", "ListMultipartUploadParts"] },
    asks: ["imports"],
  },
  createJob: accepts,
  createBatch: accepts,
  getJob: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly },
  listJobs: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly, index: "by-account" },
  deleteJob: {
    tables: { ...keyed, jobs: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: cancelledOnly,
    index: "by-account",
    files: { uploads: ["DeleteObject"], results: ["DeleteObject"] },
  },
  downloadResult: {
    tables: { ...metered, jobs: ["GetItem", "UpdateItem"] },
    only: sessionOnly,
    files: { results: ["GetObject"] },
    asks: ["erasures"],
  },
  getAccount: { tables: metered, only: useOnly },
  getUse: { tables: metered, only: useOnly },
  listKeys: { tables: { ...keyed, quotas: ["GetItem", "UpdateItem"] }, only: signedIn(), lists: true },
  createKey: { tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] }, only: signedIn(), lists: true },
  deleteKey: { tables: keyed, only: signedIn("revokedAt"), lists: true },
  rotateKey: {
    tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] },
    only: signedIn("expiresAt", "revokedAt"),
    lists: true,
  },
  choosePlan: { tables: keyed, only: signedIn("plan", "planPicked", "quota", "request"), pays: true },
  openBilling: { tables: keyed, only: signedIn(), pays: true },
  receiveBillingEvent: {
    tables: { keys: ["GetItem", "UpdateItem"] },
    only: { keys: { records: "acc_*", attributes: ["billing", "kind", "pk", "plan", "planPicked", "quota"] } },
    pays: true,
  },
  updateAccount: { tables: keyed, only: signedIn("retentionHours", "webhookUrl") },
  createSignInCode: {
    tables: { keys: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: ["cha_*", "signing"], attributes: SIGNING_ATTRIBUTES }, quotas: allowanceOnly },
    mails: true,
  },
  createSession: {
    tables: { keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: {
        records: ["acc_*", "cha_*", "email#*", "session#*", "signing"],
        attributes: [...SIGNING_ATTRIBUTES, "tries"],
      },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
  },
  getSession: {
    tables: { keys: ["GetItem", "UpdateItem"] },
    only: { keys: { records: ["acc_*", "session#*", "signing"], ...sessionOnly.keys } },
    offers: true,
  },
  deleteSession: { tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] }, only: signedIn() },
  createVisitorSession: {
    tables: { keys: ["GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: { records: ["acc_*", "email#*", "session#*", "signing"], attributes: SIGNING_ATTRIBUTES },
      quotas: allowanceOnly,
    },
    offers: true,
  },
  listSessions: { tables: keyed, only: signedIn(), lists: true },
  endSession: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: signedIn(),
    lists: true,
  },
  startPasskeySignIn: {
    tables: { keys: ["PutItem"], quotas: ["UpdateItem"] },
    only: { keys: { records: "cha_*" }, quotas: allowanceOnly },
  },
  createPasskeySession: {
    tables: { keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], quotas: ["UpdateItem"] },
    only: {
      keys: {
        records: ["acc_*", "cha_*", "passkey#*", "session#*", "signing"],
        attributes: [...SIGNING_ATTRIBUTES, "counter", "lastUsedAt", "tries"],
      },
      quotas: allowanceOnly,
    },
    lists: true,
    offers: true,
  },
  startPasskey: {
    tables: { ...keyed, keys: ["GetItem", "PutItem", "UpdateItem"] },
    only: signedIn(),
    lists: true,
  },
  createPasskey: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"] },
    only: signedIn("tries"),
    lists: true,
  },
  listPasskeys: { tables: keyed, only: signedIn(), lists: true },
  deletePasskey: {
    tables: { ...keyed, keys: ["DeleteItem", "GetItem", "UpdateItem"] },
    only: signedIn(),
    lists: true,
  },
  listWebhooks: { tables: { ...keyed, jobs: ["GetItem"] }, only: useOnly, index: "by-account" },
  redeliverWebhook: { tables: { ...keyed, jobs: ["GetItem", "UpdateItem"] }, only: useOnly, asks: ["webhooks"] },
  getWebhookSecret: { tables: keyed, only: useOnly },
  rotateWebhookSecret: {
    tables: keyed,
    only: { ...useOnly, ...secretsOnly },
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
  announceEnd: {
    tables: { jobs: ["DeleteItem", "GetItem", "PutItem"] },
    only: { jobs: { records: ["job_*", "msg_*"] } },
    stream: true,
    asks: ["webhooks"],
  },
  deliverWebhook: {
    tables: { keys: ["GetItem"], jobs: ["GetItem", "UpdateItem"] },
    only: { keys: { records: "acc_*" }, jobs: { records: "msg_*" } },
    asks: ["webhooks"],
    outbound: true,
  },
  placePages: { tables: {}, places: true },
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
