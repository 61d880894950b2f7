import type { ITableV2 } from "aws-cdk-lib/aws-dynamodb";
import { type Conditions, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Node } from "constructs";
import type { Narrowing, Permissions, TaskId } from "../functions/api/permissions.ts";
import { type LaneId, laneIds } from "../functions/domain/conversions/lanes.ts";
import { prefixes } from "./files.ts";
import { mailStatements, type Offers, offerEntries } from "./offers.ts";
import { type TableName, tableNames } from "./tables.ts";

/** Resources that a function can be granted access to. */
export interface Reach {
  readonly tables: Readonly<Record<TableName, ITableV2>>;
  readonly bucket: IBucket;
  /** Empty for the converters, which are created before their queues are known elsewhere. */
  readonly queues: Readonly<Partial<Record<LaneId | TaskId | "films", Queue>>>;
  /** The dead-letter queues by the names of their queues. @default none, except for the operators' overview */
  readonly deadLetters?: Readonly<Record<string, Queue>>;
  /** Encrypts the credentials of storages. */
  readonly storageSecret: ISecret;
  /** @default no email, no payments */
  readonly offers?: Offers;
  /** The function that opens web pages. @default none */
  readonly pageOpener?: IFunction;
  /** The bucket of the dashboard's pages. @default none */
  readonly pages?: IBucket;
}

/** @returns the policy statements of a row of the permissions table */
export const statementsOf = (permissions: Permissions, reach: Reach): readonly PolicyStatement[] => [
  ...tableStatements(permissions, reach),
  ...streamStatements(permissions, reach),
  ...fileStatements(permissions, reach),
  ...sentTo(permissions, reach).map(
    ([, queue]) => new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }),
  ),
  ...watchStatements(permissions, reach),
  ...mailStatements(permissions, reach.offers ?? {}),
  ...pageStatements(permissions, reach),
  ...openerOf(permissions, reach).map(({ functionArn }) => statement("lambda", ["InvokeFunction"], functionArn)),
];

const openerOf = ({ opensPages }: Permissions, { pageOpener }: Reach): readonly IFunction[] =>
  opensPages === undefined || pageOpener === undefined ? [] : [pageOpener];

const watchStatements = (permissions: Permissions, reach: Reach): readonly PolicyStatement[] =>
  permissions.watches === undefined
    ? []
    : [...queuesOf(permissions, reach), ...Object.entries(reach.deadLetters ?? {})].map(([, queue]) =>
        statement("sqs", ["GetQueueAttributes"], queue.queueArn),
      );

const pageStatements = ({ deploysPages }: Permissions, { pages }: Reach): readonly PolicyStatement[] =>
  deploysPages === undefined || pages === undefined ? [] : [statement("s3", ["PutObject"], pages.arnForObjects("*"))];

/** @returns the DynamoDB statements of a row */
export const tableStatements = (permissions: Permissions, { tables }: Reach): readonly PolicyStatement[] => {
  const items = tablesOf(permissions).flatMap(([name, actions]) =>
    itemStatements(tables[name].tableArn, actions, permissions.only?.[name] ?? {}),
  );
  const { index, lists } = permissions;
  return [
    ...items,
    ...(index === undefined ? [] : [statement("dynamodb", ["Query"], `${tables.jobs.tableArn}/index/${index}`)]),
    ...(lists === undefined ? [] : [statement("dynamodb", ["Query"], `${tables.keys.tableArn}/index/by-account`)]),
  ];
};

/**
 * IAM sees the partition keys and the attributes of a request (DynamoDB Developer Guide, "Using IAM policy conditions
 * for fine-grained access control"). Reads return complete items, so only updates are restricted by attribute.
 */
const itemStatements = (
  table: string,
  actions: readonly string[],
  { records, attributes }: Narrowing,
): readonly PolicyStatement[] => {
  const keys = records === undefined ? {} : { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [records].flat() } };
  if (attributes === undefined) {
    return [statement("dynamodb", actions, table, keys)];
  }
  const others = actions.filter((action) => action !== "UpdateItem");
  return [
    ...(others.length === 0 ? [] : [statement("dynamodb", others, table, keys)]),
    statement("dynamodb", ["UpdateItem"], table, {
      ...keys,
      "ForAllValues:StringEquals": { "dynamodb:Attributes": attributes },
    }),
  ];
};

/** Lambda reads the stream with the function's role (Lambda Developer Guide, "Process DynamoDB records"). */
const STREAM_ACTIONS = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];

const streamStatements = ({ stream }: Permissions, { tables }: Reach): readonly PolicyStatement[] =>
  stream === undefined ? [] : [statement("dynamodb", STREAM_ACTIONS, streamArn(tables.jobs))];

/** @returns the ARN of a table's stream @throws Error if the table does not have one */
export const streamArn = ({
  tableStreamArn,
  node,
}: {
  readonly tableStreamArn?: string | undefined;
  readonly node: Node;
}): string => {
  if (tableStreamArn === undefined) {
    throw new Error(`Table ${node.path} does not have a stream.`);
  }
  return tableStreamArn;
};

/** @returns the S3 statements of a row */
export const fileStatements = ({ files = {} }: Permissions, { bucket }: Reach): readonly PolicyStatement[] =>
  prefixes.flatMap((prefix) => {
    const actions = files[prefix];
    return actions === undefined ? [] : [statement("s3", actions, bucket.arnForObjects(`${prefix}/*`))];
  });

/** @returns the environment variables of functions/config.ts for the resources that the row permits */
export const environmentOf = (permissions: Permissions, reach: Reach): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...tablesOf(permissions).map(([name]) => [`ANYFORM_${name.toUpperCase()}_TABLE`, reach.tables[name].tableName]),
    ...(permissions.files === undefined ? [] : [["ANYFORM_FILES_BUCKET", reach.bucket.bucketName]]),
    ...queuesOf(permissions, reach).map(([name, queue]) => [`ANYFORM_QUEUE_URL_${name.toUpperCase()}`, queue.queueUrl]),
    ...(permissions.watches === undefined ? [] : [["ANYFORM_DEAD_LETTERS", deadLetterUrls(reach)]]),
    ...(permissions.deploysPages === undefined || reach.pages === undefined
      ? []
      : [["ANYFORM_FILES_BUCKET", reach.pages.bucketName]]),
    // Resolved during deployment, like the secrets of offers.ts.
    ...(permissions.seals === undefined
      ? []
      : [["ANYFORM_STORAGE_SECRET", reach.storageSecret.secretValue.unsafeUnwrap()]]),
    ...openerOf(permissions, reach).map(({ functionName }) => ["ANYFORM_PAGE_FUNCTION", functionName]),
    ...offerEntries(permissions, reach.offers ?? {}),
  ]);

const deadLetterUrls = ({ deadLetters = {} }: Reach): string =>
  Object.entries(deadLetters)
    .map(([name, { queueUrl }]) => `${name}=${queueUrl}`)
    .join(" ");

const statement = (
  service: string,
  actions: readonly string[],
  resource: string,
  conditions: Conditions = {},
): PolicyStatement =>
  new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources: [resource], conditions });

const tablesOf = ({ tables }: Permissions): readonly (readonly [TableName, readonly string[]])[] =>
  tableNames.flatMap((name) => {
    const actions = tables[name];
    return actions === undefined ? [] : [[name, actions] as const];
  });

type NamedQueue = readonly [name: string, queue: Queue];

/** @returns the queues that it sends to */
const sentTo = ({ sends, asks = [] }: Permissions, reach: Reach): readonly NamedQueue[] =>
  named([...(sends === undefined ? [] : ([...laneIds, "films"] as const)), ...asks], reach);

/** @returns the queues that it knows */
const queuesOf = (permissions: Permissions, reach: Reach): readonly NamedQueue[] =>
  permissions.watches === undefined ? sentTo(permissions, reach) : named(laneIds, reach);

const named = (names: readonly (keyof Reach["queues"])[], { queues }: Reach): readonly NamedQueue[] =>
  names.flatMap((name) => {
    const queue = queues[name];
    return queue === undefined ? [] : [[name, queue] as const];
  });
