import type { tables } from "../domain/tables.ts";

/**
 * The permissions of a Lambda function; everything else is denied. Each row grants the actions and sets the environment
 * variables that name the resources. A transaction needs the actions of its parts.
 */

export type TableName = keyof typeof tables;
/** A folder of the file bucket. */
export type FilePrefix = "results" | "uploads";

type TableAction = "DeleteItem" | "GetItem" | "PutItem" | "Query" | "Scan" | "UpdateItem";
type FileAction = "AbortMultipartUpload" | "DeleteObject" | "GetObject" | "ListMultipartUploadParts" | "PutObject";

/** The queues of work other than conversions. */
export const taskIds = ["imports", "checks", "webhooks", "exports", "erasures"] as const;

export type TaskId = (typeof taskIds)[number];

/** Restricts the actions on a table. */
export interface Narrowing {
  /** Prefixes of the partition keys, with `*` for the rest. @default all */
  readonly records?: string | readonly string[];
  /** Attributes that `UpdateItem` may name, including those of keys and conditions. @default all */
  readonly attributes?: readonly string[];
}

export interface Permissions {
  readonly tables: Readonly<Partial<Record<TableName, readonly TableAction[]>>>;
  /** @default the complete tables */
  readonly only?: Readonly<Partial<Record<TableName, Narrowing>>>;
  /** Index of the jobs table that may be queried. */
  readonly index?: "by-account" | "overdue";
  /** Whether it may query the index of the keys table that lists an account's keys, sessions and passkeys. */
  readonly lists?: true;
  /** Whether it may read the change stream of the jobs table. */
  readonly stream?: true;
  /** Actions on the objects below each prefix. A signed URL has the permissions of the function that signed it. */
  readonly files?: Readonly<Partial<Record<FilePrefix, readonly FileAction[]>>>;
  /** Whether it may send to the queues of the lanes. */
  readonly sends?: true;
  /** The task queues that it may send to. */
  readonly asks?: readonly TaskId[];
  /** Whether it may send mail, if the deployment can. */
  readonly mails?: true;
  /** Whether it gets the operator's credentials for the payment service. */
  readonly pays?: true;
  /** Whether it knows who operates the deployment. */
  readonly operates?: true;
  /** Whether it may count the messages in the queues of the lanes, and in all dead-letter queues. */
  readonly watches?: true;
  /** Whether it gets the operator's credentials for the identity provider. */
  readonly identifies?: true;
  /** Whether it reports what the deployment offers: mail, payments, an identity provider. */
  readonly offers?: true;
  /** Whether it may put the dashboard's pages into their bucket. */
  readonly deploysPages?: true;
  /** Whether it gets the secret that encrypts credentials of storages. */
  readonly seals?: true;
  /** Whether it reads the routes of the deployment. Others do not contain the conversions. */
  readonly plans?: true;
  /** Whether it may call the function that opens web pages. */
  readonly opensPages?: true;
  /** Whether it connects to third-party servers, and so gets the list of allowed private addresses. */
  readonly outbound?: true;
}

export const noPermissions: Permissions = { tables: {} };

/**
 * Every operation with a key or a session reads it, records its last use, counts the requests per second, and logs the
 * request.
 */
export const keyed = { keys: ["GetItem", "UpdateItem"], quotas: ["UpdateItem"] } as const;

/** A metered operation also counts the monthly and daily usage, which can have shards, and that of a key with a limit. */
export const metered = { ...keyed, quotas: ["Query", "UpdateItem"] } as const;

export const sessionOnly = { keys: { attributes: ["kind", "lastUsedAt", "pk"] } } as const;

export const useOnly = {
  ...sessionOnly,
  quotas: { attributes: ["accountId", "entry", "period", "second", "taken", "ttl", "usedAt"] },
} as const;

/** Counts what an account does at the same time. */
export const slotsOnly = { attributes: ["accountId", "period", "second", "taken"] } as const;

/** A session request has no key to record a use of, but is logged. @param attributes changed attributes of the account or its keys */
export const signedIn = (...attributes: string[]) => ({
  keys: { attributes: [...sessionOnly.keys.attributes, ...attributes] },
  quotas: { attributes: ["accountId", "entry", "period", "second", "taken", "ttl"] },
});

/** Counters for clients that are not signed in: `allowance#…`. */
export const allowanceOnly = { attributes: ["accountId", "period", "taken", "ttl"] } as const;

/** The keys that sign sessions; a new one is created each month. */
export const SIGNING_ATTRIBUTES = ["keys", "kind", "pk", "version"] as const;

/** Sets attributes of an account, but never its plan, nor a key. */
export const secretsOnly = { keys: { attributes: [...sessionOnly.keys.attributes, "webhookSecrets"] } } as const;

/** Sets the webhook endpoints of an account. */
export const endpointsOnly = { keys: { attributes: [...sessionOnly.keys.attributes, "webhookEndpoints"] } } as const;

/** Accepts jobs. The first webhook creates the account's secret. */
export const acceptsJobs: Permissions = {
  tables: { ...metered, jobs: ["GetItem", "PutItem"] },
  only: secretsOnly,
  plans: true,
  sends: true,
  // The target of an export is encrypted.
  seals: true,
};
