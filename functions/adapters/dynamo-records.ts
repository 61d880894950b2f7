import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { Job } from "../domain/jobs.ts";
import type { ApiKey } from "../domain/keys.ts";
import type { Account } from "../domain/plans.ts";
import type { Challenge, Passkey, Session, SigningKey } from "../domain/sessions.ts";
import type { Upload } from "../domain/uploads.ts";
import type { WebhookMessage } from "../domain/webhooks.ts";

/** DynamoDB as the stores see it: a client, the names of the tables, and how to wait before a write is tried again. */
export interface Dynamo {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly jobs: string; readonly keys: string; readonly quotas: string };
  /** Waits before the next try; the first pause is number 1. */
  readonly pause: (number: number) => Promise<void>;
}

/** What a record can be. Records of several kinds share a table, and clients name their keys. */
interface Kinds {
  readonly job: Job;
  readonly upload: Upload;
  readonly account: Account;
  readonly key: ApiKey;
  /** Leads from an e-mail address to its account. */
  readonly email: { readonly accountId: string };
  readonly session: Session;
  /** What is answered to; its own kind is called `asks`. */
  readonly challenge: Omit<Challenge, "kind"> & { readonly asks: Challenge["kind"] };
  readonly passkey: Passkey;
  /** All that sign sessions, in one record; each change has the next version. */
  readonly signing: { readonly keys: readonly SigningKey[]; readonly version: number };
  /** Leads from a download token to its job. */
  readonly token: { readonly job: string };
  /** What an idempotency key was used for. The first release called the record a job. */
  readonly idempotency: {
    readonly record?: string;
    readonly job?: string;
    readonly requestHash: string;
    readonly expiresAt: number;
  };
  /** A message to a webhook; its job is called `job`, because `jobId` is what an index finds it by. */
  readonly webhook: Omit<WebhookMessage, "jobId"> & { readonly job: string };
}

export type Item = Readonly<Record<string, unknown>>;

/** Bytes of a partition key that DynamoDB takes; it answers a longer one with an error, and so an empty one. */
const KEY_BYTES_MAX = 2_048;

/** @returns the record as DynamoDB gets it: under its key, with its kind, and gone some time after `expiresAt` */
export const itemOf = (key: string, kind: string, content: object, expiresAt?: number): Item => ({
  ...content,
  pk: key,
  kind,
  ttl: expiresAt === undefined ? undefined : Math.ceil(expiresAt / 1_000),
});

/** @returns what the item holds, or undefined when there is none or it is of another kind */
export const contentOf = <K extends keyof Kinds>(item: Item | undefined, kind: K): Kinds[K] | undefined => {
  if (item?.kind !== kind) {
    return undefined;
  }
  const { pk, kind: _, ttl, jobId, shard, ...content } = item;
  // Only `itemOf` writes records, so one of this kind holds what was written as such.
  return content as unknown as Kinds[K];
};

/** @returns the record in its newest state, or undefined when there is none or it is of another kind */
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

/** @returns what an account has of a kind. The index follows the table within a moment, so the newest may be missing. */
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
