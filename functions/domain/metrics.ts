import { laneIds } from "./conversions/lanes.ts";
import { requestErrors } from "./errors/request-errors.ts";
import { outageIds } from "./errors/resource-errors.ts";
import { formats } from "./formats/formats.ts";

/**
 * THE table of metrics. One machine exports them at `/metrics`; AWS gets those that CloudWatch does not provide for
 * free. Label values come from fixed tables, so that clients cannot create new ones.
 */

/** The cause of a failure, and success. */
const faults = ["failed_input", "failed_service"] as const;

/** How a job ends. */
const jobEnds = ["completed", ...faults, "cancelled"] as const;

/** How an upload ends. */
const uploadEnds = ["ready", ...faults] as const;

/** The outcome of a webhook delivery attempt: delivered, to be retried, given up. */
const webhookEnds = ["delivered", "retried", "given_up"] as const;

const families = [...new Set(formats.map(({ family }) => family))];

/** Histogram bounds in seconds, from the fastest response to the longest video. */
const RESPONSE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900] as const;

interface Metric {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly unit: "count" | "seconds" | "bytes";
  /** A description in one sentence. */
  readonly help: string;
  /** The possible values of each label. `operations`: the IDs of the route table, which the domain does not know. */
  readonly labels: Readonly<Record<string, readonly string[] | "operations">>;
  /** Upper bounds of a histogram's buckets, ascending. */
  readonly buckets?: readonly number[];
  /** The metric in CloudWatch. @default none: CloudWatch provides it for free, or it is not worth its price */
  readonly cloud?: CloudMetric;
}

/** A custom CloudWatch metric: each combination of its dimensions is billed. */
interface CloudMetric {
  readonly name: string;
  /** Labels that become dimensions; the others are aggregated. */
  readonly dimensions: readonly string[];
  /** Values of a label that are sent. @default all */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

export const metrics = {
  requests: {
    kind: "counter",
    unit: "count",
    help: "Completed requests by status class.",
    labels: { operation: "operations", status: ["2xx", "3xx", "4xx", "5xx"] },
  },
  request_seconds: {
    kind: "histogram",
    unit: "seconds",
    help: "Response time. Some operations wait for a job as long as the client requests.",
    labels: { operation: "operations" },
    buckets: RESPONSE_SECONDS,
  },
  request_errors: {
    kind: "counter",
    unit: "count",
    help: "Rejected and failed requests by error code.",
    labels: { code: Object.keys(requestErrors) },
    cloud: { name: "RequestErrors", dimensions: ["code"], only: { code: ["quota_exceeded"] } },
  },
  request_log_dropped: {
    kind: "counter",
    unit: "count",
    help: "Requests that are missing in the log of their account, because they could not be written in time.",
    labels: {},
  },
  outages: {
    kind: "counter",
    unit: "count",
    help: "Requests that failed because of the machine: full, read-only or failed disk, locked database, or too many open files.",
    labels: { outage: outageIds },
  },
  jobs: {
    kind: "counter",
    unit: "count",
    help: "Ended jobs by lane, format families and outcome.",
    labels: { lane: laneIds, source: families, target: families, outcome: jobEnds },
    cloud: {
      name: "Jobs",
      dimensions: ["lane", "outcome"],
      only: { outcome: ["completed", "failed_input", "failed_service"] },
    },
  },
  job_wait_seconds: {
    kind: "histogram",
    unit: "seconds",
    help: "Time that jobs were queued before their first attempt.",
    labels: { lane: laneIds },
    buckets: WORK_SECONDS,
    cloud: { name: "JobWait", dimensions: ["lane"] },
  },
  conversion_seconds: {
    kind: "histogram",
    unit: "seconds",
    help: "Duration of the attempt that ended a job, from the claim to the end.",
    labels: { lane: laneIds },
    buckets: WORK_SECONDS,
  },
  job_input_bytes: {
    kind: "counter",
    unit: "bytes",
    help: "Input bytes of completed jobs.",
    labels: { lane: laneIds },
    cloud: { name: "JobInputBytes", dimensions: [] },
  },
  job_output_bytes: {
    kind: "counter",
    unit: "bytes",
    help: "Output bytes of completed jobs.",
    labels: { lane: laneIds },
    cloud: { name: "JobOutputBytes", dimensions: [] },
  },
  uploads: {
    kind: "counter",
    unit: "count",
    help: "Ended uploads: in the request itself, sent to the file store, or fetched from a URL.",
    labels: { way: ["request", "sent", "fetched"], outcome: uploadEnds },
    cloud: { name: "UploadsFailed", dimensions: ["outcome"], only: { outcome: faults } },
  },
  upload_bytes: {
    kind: "counter",
    unit: "bytes",
    help: "Bytes of ready uploads.",
    labels: { way: ["request", "sent", "fetched"] },
  },
  webhook_attempts: {
    kind: "counter",
    unit: "count",
    help: "Webhook delivery attempts.",
    labels: { outcome: webhookEnds },
    cloud: { name: "WebhookAttempts", dimensions: ["outcome"] },
  },
  webhook_seconds: {
    kind: "histogram",
    unit: "seconds",
    help: "Response time of webhook receivers.",
    labels: {},
    buckets: RESPONSE_SECONDS,
  },
  queue_messages: {
    kind: "gauge",
    unit: "count",
    help: "Messages in the queues of the lanes: waiting, in progress or to be retried, and given up.",
    labels: { lane: laneIds, state: ["waiting", "hidden", "dead"] },
  },
  queue_oldest_seconds: {
    kind: "gauge",
    unit: "seconds",
    help: "Age of the oldest queued job; 0 when the queue is empty.",
    labels: { lane: laneIds },
  },
  tasks_waiting: {
    kind: "gauge",
    unit: "count",
    help: "Uploads to be fetched or checked, and due webhook messages.",
    labels: { task: ["imports", "webhooks"] },
  },
  converters: {
    kind: "gauge",
    unit: "count",
    help: "Running conversions, and the maximum number of concurrent conversions.",
    labels: { state: ["busy", "all"] },
  },
  connections: {
    kind: "gauge",
    unit: "count",
    help: "Open connections.",
    labels: {},
  },
  response_waiting_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Memory of responses that clients have not read.",
    labels: {},
  },
  event_loop_delay_seconds: {
    kind: "gauge",
    unit: "seconds",
    help: "Event loop delay since the metrics were last read, the longest of all processes.",
    labels: { of: ["p50", "p99", "max"] },
  },
  memory_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Memory of the processes that accept requests, without their converters.",
    labels: { kind: ["resident", "heap", "external"] },
  },
  disk_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Data disk: available and total space.",
    labels: { kind: ["free", "all"] },
  },
  start_time_seconds: {
    kind: "gauge",
    unit: "seconds",
    help: "When the service started, in seconds since 1970.",
    labels: {},
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

export const metricNames = Object.keys(metrics) as MetricName[];

/** @returns the row of a metric */
export const metricOf = (name: MetricName): Metric => metrics[name];

type ValueOf<Values> = Values extends readonly (infer Value)[] ? Value : string;

/** A measurement: the increment of a counter, the value of a gauge, or one value of a histogram. */
export type Measurement = {
  [Name in MetricName]: {
    readonly metric: Name;
    readonly labels: {
      readonly [Label in keyof (typeof metrics)[Name]["labels"]]: ValueOf<(typeof metrics)[Name]["labels"][Label]>;
    };
    /** The value in the metric's unit. */
    readonly value: number;
  };
}[MetricName];

/** Records measurements. Never throws and is not awaited: metrics never fail a request. */
export interface Metrics {
  record(measurements: readonly Measurement[]): void;
}

/** Records nothing. */
export const noMetrics: Metrics = { record: () => {} };

/** @returns the maximum number of custom metrics of a deployment, which CloudWatch bills per month */
export const cloudMetricCount = (): number =>
  metricNames.reduce((sum, name) => sum + combinationsOf(metricOf(name)), 0);

const combinationsOf = ({ cloud, labels }: Metric): number =>
  (cloud?.dimensions ?? []).reduce(
    (product, label) => product * (cloud?.only?.[label] ?? labels[label] ?? []).length,
    cloud === undefined ? 0 : 1,
  );
