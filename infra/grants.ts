import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { type LaneId, laneIds } from "../functions/domain/lanes.ts";
import { prefixes } from "./files.ts";
import type { Permissions } from "./permissions.ts";
import { type TableName, tableNames } from "./tables.ts";

/** What a function can be given rights to. */
export interface Reach {
  readonly tables: Readonly<Record<TableName, TableV2>>;
  readonly bucket: Bucket;
  /** Empty for the converters, which come before the queues that they drain are known to anyone else. */
  readonly queues: Readonly<Partial<Record<LaneId, Queue>>>;
}

/** @returns a row of the table of permissions as statements of a policy */
export const statementsOf = (permissions: Permissions, reach: Reach): readonly PolicyStatement[] => [
  ...tableStatements(permissions, reach),
  ...fileStatements(permissions, reach),
  ...queuesOf(permissions, reach).map(
    ([, queue]) => new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }),
  ),
];

/** @returns the part of a row that concerns DynamoDB */
export const tableStatements = (permissions: Permissions, { tables }: Reach): readonly PolicyStatement[] => {
  const items = tablesOf(permissions).map(([name, actions]) => statement("dynamodb", actions, tables[name].tableArn));
  const { index } = permissions;
  return index === undefined
    ? items
    : [...items, statement("dynamodb", ["Query"], `${tables.jobs.tableArn}/index/${index}`)];
};

/** @returns the part of a row that concerns S3 */
export const fileStatements = ({ files = {} }: Permissions, { bucket }: Reach): readonly PolicyStatement[] =>
  prefixes.flatMap((prefix) => {
    const actions = files[prefix];
    return actions === undefined ? [] : [statement("s3", actions, bucket.arnForObjects(`${prefix}/*`))];
  });

/** @returns the environment variables of functions/config.ts that name what the row lets the function reach */
export const environmentOf = (permissions: Permissions, reach: Reach): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...tablesOf(permissions).map(([name]) => [`ANYFORM_${name.toUpperCase()}_TABLE`, reach.tables[name].tableName]),
    ...(permissions.files === undefined ? [] : [["ANYFORM_FILES_BUCKET", reach.bucket.bucketName]]),
    ...queuesOf(permissions, reach).map(([lane, queue]) => [`ANYFORM_QUEUE_URL_${lane.toUpperCase()}`, queue.queueUrl]),
  ]);

const statement = (service: string, actions: readonly string[], resource: string): PolicyStatement =>
  new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources: [resource] });

const tablesOf = ({ tables }: Permissions): readonly (readonly [TableName, readonly string[]])[] =>
  tableNames.flatMap((name) => {
    const actions = tables[name];
    return actions === undefined ? [] : [[name, actions] as const];
  });

const queuesOf = ({ sends }: Permissions, { queues }: Reach): readonly (readonly [LaneId, Queue])[] =>
  laneIds.flatMap((lane) => {
    const queue = queues[lane];
    return sends === undefined || queue === undefined ? [] : [[lane, queue] as const];
  });
