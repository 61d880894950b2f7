/**
 * The DynamoDB tables as data: the infrastructure creates them, and the adapters read the names of keys and indexes
 * here. All are on-demand and encrypted, with point-in-time recovery; `ttl` is in seconds since 1970, as DynamoDB
 * requires.
 */

interface Attribute {
  readonly name: string;
  readonly type: "string" | "number";
}

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: Attribute;
  readonly sortKey?: Attribute;
  /** The content of an index row. With `keys`, the reader fetches the items itself. */
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
  /** Jobs (`job_…`), pipelines (`pip_…`), uploads (`upl_…`), idempotency records and download tokens (`dl_…`). */
  jobs: {
    partitionKey: text("pk"),
    indexes: [
      /** Jobs, pipelines and webhook messages have a `jobId`, their ID, and an account here. */
      { name: "by-account", partitionKey: text("accountId"), sortKey: text("jobId"), projection: "keys" },
      /** Sparse: only unfinished jobs have a `shard`. */
      { name: "overdue", partitionKey: text("shard"), sortKey: number("dueAt"), projection: "keys" },
    ],
    ttl: "ttl",
  },
  /**
   * Accounts (`acc_…`), API keys by SHA-256 (`key#…`), email addresses (`email#…`), sessions by SHA-256 (`session#…`),
   * challenges (`cha_…`), passkeys by SHA-256 of their ID (`passkey#…`), accounts of members by SHA-256 of their address (`seats#…`), presets (`preset#…`), storages (`storage#…`), and the
   * signing keys of sessions (`signing`).
   */
  keys: {
    partitionKey: text("pk"),
    indexes: [{ name: "by-account", partitionKey: text("accountId"), sortKey: text("pk"), projection: "all" }],
    ttl: "ttl",
  },
  /**
   * Per account: monthly and daily usage (`2026-11`), its shards (`2026-11#07`), requests per second (`burst#…`), and the last use of each key
   * (`key#…`). Also allowances, whose `accountId` is the counted subject (`allowance#…`).
   */
  quotas: { partitionKey: text("accountId"), sortKey: text("period"), indexes: [], ttl: "ttl" },
} as const satisfies Record<string, Table>;

/** Due webhook messages are spread over this many partitions, named `w0`, `w1` and so on. */
export const WEBHOOK_SHARDS = 4;

/** Unfinished jobs are spread over this many partitions of the index, because one handles 1,000 writes a second. */
export const OVERDUE_SHARDS = 8;

/**
 * Requests of an account with a large monthly quota are counted in this many records. A conversion by separate calls is
 * counted in four transactions, and a record is held by one for 5 to 20 ms: 100 conversions a second hold each of 32
 * records for a quarter of the time at most, so that a few attempts always succeed (docs/scale.md).
 */
export const QUOTA_SHARDS = 32;

/** The smallest quota with shards: at 100 conversions a second, a smaller one is used up within 33 s. */
export const QUOTA_SHARDED_MIN = 10_000;
