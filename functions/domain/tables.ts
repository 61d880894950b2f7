/**
 * The DynamoDB tables as data: infrastructure creates them from it, the adapters read names of keys and indexes here.
 * All are on demand, encrypted, with point-in-time recovery; `ttl` is in seconds since 1970, as DynamoDB wants it.
 */

interface Attribute {
  readonly name: string;
  readonly type: "string" | "number";
}

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  /** What a row of the index holds. With `keys` only those are written again, and the reader gets the items itself. */
  readonly projection: "keys" | "all";
}

export interface Table {
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  readonly indexes: readonly TableIndex[];
  readonly ttl?: string;
}

const text = (name: string): Attribute => ({ name, type: "string" });
const number = (name: string): Attribute => ({ name, type: "number" });

export const tables = {
  /** Jobs (`job_…`), uploads (`upl_…`), idempotency records and download tokens (`dl_…`): what lives with a job. */
  jobs: {
    partitionKey: text("pk"),
    indexes: [
      /** Only jobs have a `jobId` and an account here. */
      { name: "by-account", partitionKey: text("accountId"), sortKey: text("jobId"), projection: "keys" },
      /** Sparse: only unfinished jobs have a `shard`. */
      { name: "overdue", partitionKey: text("shard"), sortKey: number("dueAt"), projection: "keys" },
    ],
    ttl: "ttl",
  },
  /**
   * Accounts (`acc_…`), API keys by SHA-256 (`key#…`), e-mail addresses (`email#…`), sessions by SHA-256 (`session#…`),
   * challenges (`cha_…`), passkeys by SHA-256 of their id (`passkey#…`), and what signs sessions (`signing`).
   */
  keys: {
    partitionKey: text("pk"),
    indexes: [{ name: "by-account", partitionKey: text("accountId"), sortKey: text("pk"), projection: "all" }],
    ttl: "ttl",
  },
  /**
   * Per account: what was used in a month (`2026-11`) and on each day of it, requests in a second (`burst#…`), when a key was
   * used last (`key#…`); and allowances, whose `accountId` is what they count (`allowance#…`).
   */
  quotas: { partitionKey: text("accountId"), sortKey: text("period"), indexes: [], ttl: "ttl" },
} as const satisfies Record<string, Table>;

/** Messages to webhooks that are due are spread over these, named `w0` and on. */
export const WEBHOOK_SHARDS = 4;

/** Unfinished jobs are spread over so many partitions of the index, because one takes 1,000 writes a second. */
export const OVERDUE_SHARDS = 8;
