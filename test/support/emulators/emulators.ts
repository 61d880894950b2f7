import { randomUUID } from "node:crypto";
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { type LaneId, laneIds } from "../../../functions/domain/conversions/lanes.ts";
import { type Table, tables } from "../../../functions/domain/tables.ts";
import { startDynamo } from "./emulator-dynamo.ts";
import { startS3Sqs } from "./emulator-s3-sqs.ts";

/** DynamoDB, S3 and SQS on this machine, with the tables, bucket and queues of a deployment. */
export interface Emulators {
  /** The environment variables that the functions and the SDK need to use them. */
  readonly environment: Readonly<Record<string, string>>;
  /** The dead-letter queue of each lane. */
  readonly deadLetterUrls: Readonly<Record<LaneId, string>>;
  /** Additional tables, a bucket and queues, all empty. */
  freshTables(): Promise<TableNames>;
  freshBucket(): Promise<string>;
  freshQueue(): Promise<QueueUrls>;
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** Milliseconds since 1970, for the expiry of signed URLs. @default Date.now */
  readonly clock?: () => number;
  /** Visibility timeout in seconds. @default 30 */
  readonly visibilitySeconds?: number;
}

export type TableNames = Readonly<Record<keyof typeof tables, string>>;

export interface QueueUrls {
  readonly url: string;
  readonly deadLetterUrl: string;
}

/** The tasks other than conversions, each with a separate queue. */
const taskNames = ["imports", "checks", "webhooks", "exports", "erasures"] as const;

/** Deliveries before a message becomes a dead letter, as in a deployment. */
export const RECEIVES_MAX = 4;

const REGION = "us-east-1";
const credentials = { id: "AKIAEMULATOR", secret: "a secret that guards nothing" };

/** Starts all emulators, which takes a fifth of a second. */
export const startEmulators = async (options: EmulatorOptions = {}): Promise<Emulators> => {
  const dynamo = await startDynamo();
  const s3Sqs = await startS3Sqs({ credentials, clock: options.clock ?? Date.now });
  const makers = makersAt(dynamo.endpoint, s3Sqs.endpoint, options.visibilitySeconds ?? 30);
  const [names, bucket, queues, tasks] = await Promise.all([
    makers.freshTables(),
    makers.freshBucket(),
    Promise.all(laneIds.map(async (lane) => [lane, await makers.freshQueue()] as const)),
    Promise.all(taskNames.map(async (task) => [task, await makers.freshQueue()] as const)),
  ]);
  return {
    ...makers,
    environment: {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: credentials.id,
      AWS_SECRET_ACCESS_KEY: credentials.secret,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_ENDPOINT_URL_S3: s3Sqs.endpoint,
      AWS_ENDPOINT_URL_SQS: s3Sqs.endpoint,
      ANYFORM_JOBS_TABLE: names.jobs,
      ANYFORM_KEYS_TABLE: names.keys,
      ANYFORM_QUOTAS_TABLE: names.quotas,
      ANYFORM_FILES_BUCKET: bucket,
      ANYFORM_STORAGE_SECRET: "a secret that encrypts nothing real",
      ...Object.fromEntries(
        [...queues, ...tasks].map(([name, { url }]) => [`ANYFORM_QUEUE_URL_${name.toUpperCase()}`, url]),
      ),
      ANYFORM_DEAD_LETTERS: queues.map(([lane, { deadLetterUrl }]) => `${lane}=${deadLetterUrl}`).join(" "),
    },
    deadLetterUrls: Object.fromEntries(queues.map(([lane, { deadLetterUrl }]) => [lane, deadLetterUrl])) as Record<
      LaneId,
      string
    >,
    stop: async () => {
      await Promise.all([dynamo.stop(), s3Sqs.stop()]);
    },
  };
};

const makersAt = (dynamoEndpoint: string, endpoint: string, visibilitySeconds: number) => {
  const account = { region: REGION, credentials: { accessKeyId: credentials.id, secretAccessKey: credentials.secret } };
  const dynamo = new DynamoDBClient({ ...account, endpoint: dynamoEndpoint });
  const s3 = new S3Client({ ...account, endpoint });
  const sqs = new SQSClient({ ...account, endpoint });
  const queue = async (name: string, attributes: Record<string, string>): Promise<string> => {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    // The emulator would return a host that no DNS server resolves.
    return `${endpoint}/000000000000/${name}`;
  };
  return {
    freshTables: async (): Promise<TableNames> => {
      const prefix = `anyform-${randomUUID()}`;
      const make = (name: keyof typeof tables) => createTable(dynamo, `${prefix}-${name}`, tables[name]);
      const [jobs, keys, quotas] = await Promise.all([make("jobs"), make("keys"), make("quotas")]);
      return { jobs, keys, quotas };
    },
    freshBucket: async (): Promise<string> => {
      const name = `anyform-${randomUUID()}`;
      await s3.send(new CreateBucketCommand({ Bucket: name }));
      return name;
    },
    freshQueue: async (): Promise<QueueUrls> => {
      const name = `anyform-${randomUUID()}`;
      const deadLetterUrl = await queue(`${name}-dead`, {});
      const RedrivePolicy = JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:${REGION}:000000000000:${name}-dead`,
        maxReceiveCount: RECEIVES_MAX,
      });
      return { url: await queue(name, { VisibilityTimeout: String(visibilitySeconds), RedrivePolicy }), deadLetterUrl };
    },
  };
};

const createTable = async (client: DynamoDBClient, name: string, table: Table): Promise<string> => {
  const { indexes } = table;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: schemaOf(table),
      AttributeDefinitions: definitionsOf(table),
      ...(indexes.length > 0 && {
        GlobalSecondaryIndexes: indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: schemaOf(index),
          Projection: { ProjectionType: index.projection === "all" ? "ALL" : "KEYS_ONLY" },
        })),
      }),
    }),
  );
  return name;
};

type Keys = Pick<Table, "partitionKey" | "sortKey">;

const schemaOf = ({ partitionKey, sortKey }: Keys): NonNullable<CreateTableCommandInput["KeySchema"]> => [
  { AttributeName: partitionKey.name, KeyType: "HASH" },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey.name, KeyType: "RANGE" as const }]),
];

const definitionsOf = (table: Table): NonNullable<CreateTableCommandInput["AttributeDefinitions"]> => {
  const keys = [table, ...table.indexes].flatMap(({ partitionKey, sortKey }: Keys) => [partitionKey, sortKey ?? []]);
  const types = new Map(keys.flat().map(({ name, type }) => [name, type === "string" ? "S" : "N"] as const));
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
};
