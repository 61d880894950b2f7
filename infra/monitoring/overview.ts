import { Duration } from "aws-cdk-lib";
import { type Alarm, AlarmStatusWidget, Dashboard, type IWidget, MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { ITableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { TableName } from "../tables.ts";
import { laneRows } from "./overview-lanes.ts";
import { type CustomMetrics, customMetrics } from "./overview-metrics.ts";
import { storeRows } from "./overview-stores.ts";
import { graph, heading, ROW_COLUMNS, type WidgetRow } from "./overview-widgets.ts";
import type { Watched } from "./watches.ts";

export interface OverviewProps {
  readonly stackName: string;
  readonly watched: Watched;
  readonly alarms: readonly Alarm[];
  readonly tables: Readonly<Record<TableName, ITableV2>>;
  readonly bucket: IBucket;
}

const sum = { statistic: "Sum" };

/** Period of the metrics of operations. */
const OPERATION_SECONDS = 300;

/**
 * A dashboard of the service on one page, from client-facing metrics at the top to cost drivers at the bottom. How to
 * read it: docs/runbook.md#dashboard
 */
export class Overview extends Construct {
  constructor(scope: Construct, id: string, props: OverviewProps) {
    super(scope, id);
    const { stackName, watched, alarms } = props;
    const custom = customMetrics(stackName);
    const dashboard = new Dashboard(this, "Dashboard", {
      defaultInterval: Duration.hours(24),
    });
    const rows: readonly WidgetRow[] = [
      [alarmStatus(alarms)],
      [heading("Client-facing metrics")],
      requestRow(watched),
      operationRow(watched, stackName),
      ...laneRows(watched.lanes, custom),
      [heading("Background tasks")],
      ...taskRows(watched, custom),
      ...storeRows(props, custom),
    ];
    for (const row of rows) {
      dashboard.addWidgets(...row);
    }
  }
}

const alarmStatus = (alarms: readonly Alarm[]): IWidget =>
  new AlarmStatusWidget({ title: "Alarms", alarms: [...alarms], width: ROW_COLUMNS, height: 6 });

const requestRow = ({ api }: Watched): WidgetRow => [
  graph("Requests and failures", 3, [
    api.http.metricCount({ ...sum, label: "all" }),
    api.http.metricClientError({ ...sum, label: "4xx" }),
    api.http.metricServerError({ ...sum, label: "5xx" }),
  ]),
  graph("Latency (ms)", 3, [
    api.http.metricLatency({ statistic: "p50", label: "p50" }),
    api.http.metricLatency({ statistic: "p95", label: "p95" }),
    api.http.metricLatency({ statistic: "p99", label: "p99" }),
  ]),
  graph("Bytes out", 3, [api.http.metricDataProcessed({ ...sum, label: "of the API, without files" })]),
];

/** Functions of the stack of accounts are searched by name: the service's stack, deployed before it, cannot refer to them. */
const operationRow = ({ api }: Watched, stackName: string): WidgetRow => {
  const functions = [...api.functions];
  const accounts = (metric: string, statistic: string) =>
    new MathExpression({
      expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" FunctionName="${stackName}-accounts"', '${statistic}', ${OPERATION_SECONDS})`,
      label: "",
      period: Duration.seconds(OPERATION_SECONDS),
    });
  return [
    graph("Requests by operation", 3, [
      ...functions.map(([label, { lambda }]) => lambda.metricInvocations({ ...sum, label })),
      accounts("Invocations", "Sum"),
    ]),
    graph("Latency by operation, p99 (ms)", 3, [
      ...functions.map(([label, { lambda }]) => lambda.metricDuration({ statistic: "p99", label })),
      accounts("Duration", "p99"),
    ]),
    graph(
      "Crashed and throttled functions",
      3,
      [...functions.map(([label, { lambda }]) => lambda.metricErrors({ ...sum, label })), accounts("Errors", "Sum")],
      [
        ...functions.map(([label, { lambda }]) => lambda.metricThrottles({ ...sum, label: `${label} held back` })),
        accounts("Throttles", "Sum"),
      ],
    ),
  ];
};

const taskRows = ({ tasks, announcer, ...others }: Watched, custom: CustomMetrics): readonly WidgetRow[] => {
  const all = Object.entries(tasks);
  // Checks have the function and the dead letters of imports.
  const workers = all.filter(([id]) => id !== "checks");
  const functions = [
    ...workers.map(([, { name, worker }]) => [name, worker] as const),
    ["announce-end", announcer.announceEnd] as const,
    ["sweep-jobs", others.sweepJobs] as const,
    ["fail-job", others.failJob] as const,
    ["fail-upload", others.failUpload] as const,
  ];
  const queues = all.map(([label, { queue }]) => [label, queue] as const);
  const letters = [
    ...workers.map(([label, { deadLetters }]) => [label, deadLetters] as const),
    ["announcements", announcer.deadLetters] as const,
  ];
  return [
    [
      graph(
        "Waiting messages, age of the oldest (s)",
        3,
        queues.map(([label, queue]) => queue.metricApproximateNumberOfMessagesVisible({ label })),
        queues.map(([label, queue]) => queue.metricApproximateAgeOfOldestMessage({ label: `${label}, s` })),
      ),
      graph(
        "Dead letters",
        3,
        letters.map(([label, queue]) => queue.metricApproximateNumberOfMessagesVisible({ label })),
      ),
      graph(
        "Crashed and throttled functions",
        3,
        functions.map(([label, { lambda }]) => lambda.metricErrors({ ...sum, label })),
        functions.map(([label, { lambda }]) => lambda.metricThrottles({ ...sum, label: `${label} held back` })),
      ),
    ],
    [
      graph("Webhook attempts", 3, custom("webhook_attempts", sum)),
      graph("Failed uploads, requests over quota", 3, [...custom("uploads", sum), ...custom("request_errors", sum)]),
      graph("Delay of job end events (ms)", 3, [
        announcer.announceEnd.lambda.metric("IteratorAge", { statistic: "Maximum", label: "the oldest" }),
      ]),
    ],
  ];
};
