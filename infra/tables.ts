import { RemovalPolicy } from "aws-cdk-lib";
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import { type Table, tables } from "../functions/domain/tables.ts";

export type TableName = keyof typeof tables;

export const tableNames: readonly TableName[] = ["jobs", "keys", "quotas"];

export interface TablesProps {
  /** Begins the tables' names, so that the operator's tools find them: `anyform-jobs`. */
  readonly stackName: string;
  /** Whether the tables outlive the stack and refuse to be deleted. */
  readonly keepData: boolean;
  /** Write units a second that the tables which a conversion writes to take from the start. @default DynamoDB's own */
  readonly warmWrites: number | undefined;
}

/** The tables that each conversion writes to; `keys` is read, from memory for the most part. */
const BUSY: readonly TableName[] = ["jobs", "quotas"];

/** Read units for each write unit, as DynamoDB gives them to a new table (12,000 beside 4,000). */
const READS_PER_WRITE = 3;

/** The tables of functions/domain/tables.ts: on demand, encrypted, restorable to any second of the last 35 days. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, TableV2>>;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    this.byName = {
      jobs: this.table("jobs", props),
      keys: this.table("keys", props),
      quotas: this.table("quotas", props),
    };
  }

  private table(name: TableName, { stackName, keepData, warmWrites }: TablesProps): TableV2 {
    const { partitionKey, sortKey, indexes, ttl }: Table = tables[name];
    const warmth = BUSY.includes(name) ? warmthOf(warmWrites) : {};
    return new TableV2(this, name, {
      tableName: `${stackName}-${name}`,
      partitionKey: attribute(partitionKey),
      ...(sortKey && { sortKey: attribute(sortKey) }),
      ...(ttl && { timeToLiveAttribute: ttl }),
      // What a job becomes is told to its webhook from there.
      ...(name === "jobs" && { dynamoStream: StreamViewType.NEW_IMAGE }),
      globalSecondaryIndexes: indexes.map((index) => ({
        indexName: index.name,
        partitionKey: attribute(index.partitionKey),
        ...(index.sortKey && { sortKey: attribute(index.sortKey) }),
        projectionType: index.projection === "all" ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
        // A write waits for the indexes, too.
        ...warmth,
      })),
      billing: Billing.onDemand(),
      ...warmth,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

const warmthOf = (writeUnitsPerSecond: number | undefined) =>
  writeUnitsPerSecond === undefined
    ? {}
    : { warmThroughput: { writeUnitsPerSecond, readUnitsPerSecond: READS_PER_WRITE * writeUnitsPerSecond } };

const attribute = ({ name, type }: Table["partitionKey"]): Attribute => ({
  name,
  type: type === "string" ? AttributeType.STRING : AttributeType.NUMBER,
});
