import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { type ITableV2, Operation } from "aws-cdk-lib/aws-dynamodb";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { lanes as laneTable } from "../../functions/domain/conversions/lanes.ts";
import type { TableName } from "../tables.ts";
import type { CustomMetrics } from "./overview-metrics.ts";
import { graph, heading, type WidgetRow } from "./overview-widgets.ts";
import type { Watched } from "./watches.ts";

const sum = { statistic: "Sum" };

export interface Stores {
  readonly tables: Readonly<Record<TableName, ITableV2>>;
  readonly bucket: IBucket;
  /** The functions that use them. */
  readonly watched: Watched;
}

/** @returns the widgets of tables, bucket and cost drivers */
export const storeRows = ({ tables, bucket, watched }: Stores, custom: CustomMetrics): readonly WidgetRow[] => {
  const each = Object.entries(tables);
  return [
    [heading("Tables and files")],
    [
      graph(
        "Table latency (ms)",
        3,
        each.map(([name, table]) => latency(name, table)),
      ),
      graph(
        "Throttled and failed requests, transaction conflicts",
        3,
        each.flatMap(([name, table]) => troubles(name, table)),
      ),
      graph("Files and bytes (reported daily)", 3, [objects(bucket)], [bytes(bucket)]),
    ],
    [heading("Cost drivers")],
    [
      graph(
        "Lane usage (GB-seconds)",
        4,
        [...watched.lanes].map(([id, { converter }]) => {
          const duration = converter.lambda.metricDuration(sum);
          return gigabyteSeconds(id, duration, laneTable[id].memoryMegabytes);
        }),
      ),
      graph(
        "Consumed read and write units",
        4,
        each.map(([name, table]) => table.metricConsumedReadCapacityUnits({ ...sum, label: `${name} read` })),
        each.map(([name, table]) => table.metricConsumedWriteCapacityUnits({ ...sum, label: `${name} wrote` })),
      ),
      graph("Bytes read and written by jobs (the maximum downloaded once)", 4, [
        ...custom("job_input_bytes", sum),
        ...custom("job_output_bytes", sum),
      ]),
      graph(
        "Queue messages",
        4,
        [
          ...[...watched.lanes].map(([id, { queue }]) => ({ id, queue })),
          ...(watched.films === undefined ? [] : [{ id: "films", queue: watched.films.queue }]),
          ...Object.entries(watched.tasks).map(([id, { queue }]) => ({ id, queue })),
        ].map(({ id, queue }) => queue.metricNumberOfMessagesSent({ ...sum, label: id })),
      ),
    ],
  ];
};

const latency = (label: string, table: ITableV2): IMetric =>
  table.metricSuccessfulRequestLatency({
    statistic: "Average",
    label,
    dimensionsMap: { TableName: table.tableName, Operation: Operation.GET_ITEM },
  });

const troubles = (name: string, table: ITableV2): readonly IMetric[] =>
  ["ReadThrottleEvents", "WriteThrottleEvents", "TransactionConflict"].map((metric) =>
    table.metric(metric, { ...sum, label: `${name} ${metric}` }),
  );

/** S3 reports these daily for each storage class. */
const stored = (bucket: IBucket, metricName: string, storageType: string, label: string): IMetric =>
  new Metric({
    namespace: "AWS/S3",
    metricName,
    dimensionsMap: { BucketName: bucket.bucketName, StorageType: storageType },
    statistic: "Average",
    period: Duration.days(1),
    label,
  });

const objects = (bucket: IBucket): IMetric => stored(bucket, "NumberOfObjects", "AllStorageTypes", "files");
const bytes = (bucket: IBucket): IMetric => stored(bucket, "BucketSizeBytes", "StandardStorage", "bytes");

/** Lambda bills the time of a function by its memory. */
const gigabyteSeconds = (lane: string, duration: IMetric, memoryMegabytes: number): IMetric =>
  new MathExpression({
    expression: `${lane} / 1000 * ${memoryMegabytes / 1_024}`,
    usingMetrics: { [lane]: duration },
    label: lane,
  });
