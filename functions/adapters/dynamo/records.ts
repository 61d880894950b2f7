import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { ApiKey } from "../../domain/accounts/keys.ts";
import type { Account } from "../../domain/accounts/plans.ts";
import type { Storage } from "../../domain/exports/storage.ts";
import type { Job } from "../../domain/jobs/job.ts";
import { storedJob } from "../../domain/jobs/stored-job.ts";
import type { Pipeline } from "../../domain/pipelines/pipeline.ts";
import type { Preset } from "../../domain/pipelines/preset.ts";
import type { Challenge, Passkey, Session, SigningKey } from "../../domain/sessions/session.ts";
import type { Upload } from "../../domain/uploads/upload.ts";
import type { WebhookMessage } from "../../domain/webhooks/message.ts";

/** DynamoDB access for the stores: a client, the table names, and the pause before a retry. */
export interface Dynamo {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly jobs: string; readonly keys: string; readonly quotas: string };
  /** Waits before the next attempt; the first pause is number 1. */
  readonly pause: (number: number) => Promise<void>;
}

/** Kinds of records. Several kinds share a table, and clients choose some of the keys. */
interface Kinds {
  readonly job: Job;
  readonly upload: Upload;
  readonly account: Account;
  readonly key: ApiKey;
  /** Maps an email address to its account. */
  readonly email: { readonly accountId: string };
  /** The accounts of others that an address is a member of. */
  readonly seats: { readonly accounts?: ReadonlySet<string> };
  readonly session: Session;
  /** The kind of the challenge; stored as `asks`. */
  readonly challenge: Omit<Challenge, "kind"> & { readonly asks: Challenge["kind"] };
  readonly passkey: Passkey;
  /** All session signing keys, in one record with a version number. */
  readonly signing: { readonly keys: readonly SigningKey[]; readonly version: number };
  readonly pipeline: Pipeline;
  readonly preset: Preset;
  /** Maps a download token to its job. */
  readonly token: { readonly job: string };
  /** Use of an idempotency key. The first release named the kind `job`. */
  readonly idempotency: {
    readonly record?: string;
    readonly job?: string;
    readonly requestHash: string;
    readonly expiresAt: number;
  };
  /** A storage of an account. */
  readonly storage: Storage;
  /** A webhook message. Its job is named `job`, because `jobId` is an index key. */
  readonly webhook: Omit<WebhookMessage, "jobId"> & { readonly job: string };
}

export type Item = Readonly<Record<string, unknown>>;

/** Maximum bytes of a DynamoDB partition key. Longer and empty keys cause an error. */
const KEY_BYTES_MAX = 2_048;

/** @returns the DynamoDB item of a record: with its key and kind, deleted some time after `expiresAt` */
export const itemOf = (key: string, kind: string, content: object, expiresAt?: number): Item => ({
  ...content,
  pk: key,
  kind,
  ttl: expiresAt === undefined ? undefined : Math.ceil(expiresAt / 1_000),
});

/** @returns the content of the item; undefined if it is missing or of another kind */
export const contentOf = <K extends keyof Kinds>(item: Item | undefined, kind: K): Kinds[K] | undefined => {
  if (item?.kind !== kind) {
    return undefined;
  }
  const { pk, kind: _, ttl, jobId, shard, ...content } = item;
  // Only `itemOf` writes records, so the content matches the kind.
  return content as unknown as Kinds[K];
};

/** @returns the record, read consistently; undefined if it is missing or of another kind */
export const readRecord = async <K extends keyof Kinds>(
  dynamo: Dynamo,
  { table, key, kind }: { table: string; key: string; kind: K },
): Promise<Kinds[K] | undefined> => {
  const bytes = Buffer.byteLength(key);
  if (bytes === 0 || bytes > KEY_BYTES_MAX) {
    return undefined;
  }
  const command = new GetCommand({ TableName: table, Key: { pk: key }, ConsistentRead: true });
  return contentOf((await dynamo.client.send(command)).Item, kind);
};

/** @returns the job, with current names; undefined if it does not exist */
export const readJob = async (dynamo: Dynamo, id: string): Promise<Job | undefined> => {
  const job = await readRecord(dynamo, { table: dynamo.tables.jobs, key: id, kind: "job" });
  return job && storedJob(job);
};

/** @returns an account's records of a kind. The index is eventually consistent, so the newest may be missing. */
export const recordsOf = async <K extends keyof Kinds>(
  { client, tables }: Dynamo,
  { accountId, prefix, kind }: { accountId: string; prefix: string; kind: K },
): Promise<readonly Kinds[K][]> => {
  const pages = paginateQuery(
    { client },
    {
      TableName: tables.keys,
      IndexName: "by-account",
      KeyConditionExpression: "accountId = :account AND begins_with(pk, :prefix)",
      ExpressionAttributeValues: { ":account": accountId, ":prefix": prefix },
    },
  );
  const records: Kinds[K][] = [];
  for await (const { Items = [] } of pages) {
    records.push(...Items.flatMap((item) => contentOf(item, kind) ?? []));
  }
  return records;
};
