import { requestErrors } from "./errors.ts";
import { formats } from "./formats.ts";
import { laneIds } from "./lanes.ts";
import { outageIds } from "./outages.ts";

/**
 * THE table of what is counted and measured: one machine shows it at `/metrics`, AWS gets the part of it that nothing
 * there tells for free. Every label takes its value from a table of ours, so that no client can make one up.
 */

/** Whose fault it was that something did not end well, and that it did. */
const faults = ["failed_input", "failed_service"] as const;

/** How a job ends. */
const jobEnds = ["completed", ...faults, "cancelled"] as const;

/** How an upload ends. */
const uploadEnds = ["ready", ...faults] as const;

/** How an attempt to tell a webhook ends: taken, to be tried again, the last one. */
const webhookEnds = ["delivered", "retried", "given_up"] as const;

const families = [...new Set(formats.map(({ family }) => family))];

/** Bounds of what takes seconds, from the fastest answer to the longest film. */
const ANSWER_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900] as const;

interface Metric {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly unit: "count" | "seconds" | "bytes";
  /** One sentence for who reads it. */
  readonly says: string;
  /** The values that each label may have. `operations`: those of the route table, which the domain does not know. */
  readonly labels: Readonly<Record<string, readonly string[] | "operations">>;
  /** Upper bounds of a histogram's buckets, ascending. */
  readonly buckets?: readonly number[];
  /** How AWS gets it. @default not at all: something there tells it for free, or it is not worth its price */
  readonly cloud?: CloudMetric;
}

/** A custom metric of CloudWatch: each combination of its dimensions is paid for. */
interface CloudMetric {
  readonly name: string;
  /** Labels that become dimensions; the others are summed up. */
  readonly dimensions: readonly string[];
  /** Values of a label that are sent. @default all */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

export const metrics = {
  requests: {
    kind: "counter",
    unit: "count",
    says: "Requests that were answered, by the class of the status.",
    labels: { operation: "operations", status: ["2xx", "3xx", "4xx", "5xx"] },
  },
  request_seconds: {
    kind: "histogram",
    unit: "seconds",
    says: "How long answers took. Some operations wait for a job as long as their client asks them to.",
    labels: { operation: "operations" },
    buckets: ANSWER_SECONDS,
  },
  request_errors: {
    kind: "counter",
    unit: "count",
    says: "Requests that were refused or failed, by the code of the error.",
    labels: { code: Object.keys(requestErrors) },
    cloud: { name: "RequestErrors", dimensions: ["code"], only: { code: ["quota_exceeded"] } },
  },
  outages: {
    kind: "counter",
    unit: "count",
    says: "Requests that failed because of the machine: its disk full, read-only or broken, its database or files in use.",
    labels: { outage: outageIds },
  },
  jobs: {
    kind: "counter",
    unit: "count",
    says: "Jobs that ended, by the lane, the families of both formats, and how.",
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
    says: "How long jobs waited until their first attempt began.",
    labels: { lane: laneIds },
    buckets: WORK_SECONDS,
    cloud: { name: "JobWait", dimensions: ["lane"] },
  },
  conversion_seconds: {
    kind: "histogram",
    unit: "seconds",
    says: "How long the attempt took that ended its job, from the claim to the end.",
    labels: { lane: laneIds },
    buckets: WORK_SECONDS,
  },
  job_input_bytes: {
    kind: "counter",
    unit: "bytes",
    says: "Bytes of the files that completed jobs read.",
    labels: { lane: laneIds },
    cloud: { name: "JobInputBytes", dimensions: [] },
  },
  job_output_bytes: {
    kind: "counter",
    unit: "bytes",
    says: "Bytes of the files that completed jobs made.",
    labels: { lane: laneIds },
    cloud: { name: "JobOutputBytes", dimensions: [] },
  },
  uploads: {
    kind: "counter",
    unit: "count",
    says: "Uploads that ended: in the request itself, sent to the file store, or fetched from a URL.",
    labels: { way: ["request", "sent", "fetched"], outcome: uploadEnds },
    cloud: { name: "UploadsFailed", dimensions: ["outcome"], only: { outcome: faults } },
  },
  upload_bytes: {
    kind: "counter",
    unit: "bytes",
    says: "Bytes of the uploads that are ready.",
    labels: { way: ["request", "sent", "fetched"] },
  },
  webhook_attempts: {
    kind: "counter",
    unit: "count",
    says: "Attempts to tell webhooks of a job's end.",
    labels: { outcome: webhookEnds },
    cloud: { name: "WebhookAttempts", dimensions: ["outcome"] },
  },
  webhook_seconds: {
    kind: "histogram",
    unit: "seconds",
    says: "How long receivers of webhooks took to answer.",
    labels: {},
    buckets: ANSWER_SECONDS,
  },
  queue_messages: {
    kind: "gauge",
    unit: "count",
    says: "Messages of the lanes' queues: waiting, in hand or to come again, and given up.",
    labels: { lane: laneIds, state: ["waiting", "hidden", "dead"] },
  },
  queue_oldest_seconds: {
    kind: "gauge",
    unit: "seconds",
    says: "Age of the job whose message has waited longest; 0 when none waits.",
    labels: { lane: laneIds },
  },
  tasks_waiting: {
    kind: "gauge",
    unit: "count",
    says: "Uploads that are to be fetched or looked at, and messages to webhooks that are due.",
    labels: { task: ["imports", "webhooks"] },
  },
  converters: {
    kind: "gauge",
    unit: "count",
    says: "Conversions that run at the moment, and that can run at once.",
    labels: { state: ["busy", "all"] },
  },
  event_loop_delay_seconds: {
    kind: "gauge",
    unit: "seconds",
    says: "How late the event loop was since the metrics were last read.",
    labels: { of: ["p50", "p99", "max"] },
  },
  memory_bytes: {
    kind: "gauge",
    unit: "bytes",
    says: "Memory of the service's own process; converters are processes of their own.",
    labels: { kind: ["resident", "heap", "external"] },
  },
  disk_bytes: {
    kind: "gauge",
    unit: "bytes",
    says: "The disk that holds the data: what the service may still write, and all of it.",
    labels: { kind: ["free", "all"] },
  },
  start_time_seconds: {
    kind: "gauge",
    unit: "seconds",
    says: "When the service started, in seconds since 1970.",
    labels: {},
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

export const metricNames = Object.keys(metrics) as MetricName[];

/** @returns the row of a metric */
export const metricOf = (name: MetricName): Metric => metrics[name];

type ValueOf<Values> = Values extends readonly (infer Value)[] ? Value : string;

/** Something that was counted or measured: by how much a counter grows, what a gauge shows, one value of a histogram. */
export type Measurement = {
  [Name in MetricName]: {
    readonly metric: Name;
    readonly labels: {
      readonly [Label in keyof (typeof metrics)[Name]["labels"]]: ValueOf<(typeof metrics)[Name]["labels"][Label]>;
    };
    /** In the metric's unit. */
    readonly value: number;
  };
}[MetricName];

/** Takes what was measured. It never throws and is not waited for: nobody's request fails because of a number. */
export interface Metrics {
  record(measurements: readonly Measurement[]): void;
}

/** Takes nothing down. */
export const noMetrics: Metrics = { record: () => {} };

/** @returns how many custom metrics a deployment has at most: those that CloudWatch counts, and bills by the month */
export const cloudMetricCount = (): number =>
  metricNames.reduce((sum, name) => sum + combinationsOf(metricOf(name)), 0);

const combinationsOf = ({ cloud, labels }: Metric): number =>
  (cloud?.dimensions ?? []).reduce(
    (product, label) => product * (cloud?.only?.[label] ?? labels[label] ?? []).length,
    cloud === undefined ? 0 : 1,
  );
