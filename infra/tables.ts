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
  /** Whether the tables are retained and protected against deletion. */
  readonly keepData: boolean;
  /** Initial write units per second of the tables that conversions write to. @default the default of DynamoDB */
  readonly warmWrites: number | undefined;
}

/** The tables that each conversion writes to. `keys` is only read, mostly from a cache. */
const BUSY: readonly TableName[] = ["jobs", "quotas"];

/** Read units per write unit, the ratio of a new DynamoDB table (12,000 to 4,000). */
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

  private table(name: TableName, { keepData, warmWrites }: TablesProps): TableV2 {
    const { partitionKey, sortKey, indexes, ttl }: Table = tables[name];
    const warmth = BUSY.includes(name) ? warmthOf(warmWrites) : {};
    return new TableV2(this, name, {
      partitionKey: attribute(partitionKey),
      ...(sortKey && { sortKey: attribute(sortKey) }),
      ...(ttl && { timeToLiveAttribute: ttl }),
      // Webhooks are sent from the stream.
      ...(name === "jobs" && { dynamoStream: StreamViewType.NEW_IMAGE }),
      globalSecondaryIndexes: indexes.map((index) => ({
        indexName: index.name,
        partitionKey: attribute(index.partitionKey),
        ...(index.sortKey && { sortKey: attribute(index.sortKey) }),
        projectionType: index.projection === "all" ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
        // A write also waits for the indexes.
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
