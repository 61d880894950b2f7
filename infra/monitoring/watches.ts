import { Duration } from "aws-cdk-lib";
import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { type TaskId, taskIds } from "../../functions/api/permissions.ts";
import type { OperationId } from "../../functions/api/routes.ts";
import { type LaneId, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import { JOB_ATTEMPTS_MAX } from "../../functions/domain/limits.ts";
import type { Api } from "../api.ts";
import type { ServiceFunction } from "../functions.ts";
import type { Pages } from "../pages.ts";
import type { Settings } from "../settings.ts";
import type { Announcer } from "../workers/announcer.ts";
import type { Lane } from "../workers/lane.ts";
import { VISIBILITY_MARGIN_SECONDS } from "../workers/queues.ts";
import { SWEEP_MINUTES } from "../workers/sweeper.ts";
import type { TaskWorker } from "../workers/tasks.ts";

/** The monitored parts of the service. */
export interface Watched {
  readonly settings: Settings;
  readonly api: Api;
  /** @default none */
  readonly pages: Pages | undefined;
  readonly lanes: ReadonlyMap<LaneId, Lane>;
  readonly tasks: Readonly<Record<TaskId, TaskWorker>>;
  readonly announcer: Announcer;
  readonly sweepJobs: ServiceFunction;
  readonly failJob: ServiceFunction;
  readonly failUpload: ServiceFunction;
}

/** A failure of the service, and the metric that shows it. */
export interface Watch {
  /** The section of docs/runbook.md with instructions. */
  readonly section: string;
  /** Distinguishes watches of one section. @default none */
  readonly variant?: string;
  /** What happened, in one sentence. */
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Consecutive bad periods of five minutes before the alarm. @default 1 */
  readonly periods?: number;
  /**
   * `less`: values below the threshold and missing data are bad. @default `more`: values from the threshold up are bad
   */
  readonly bad?: "less" | "more";
  /** The only region that has the metric; other regions have no alarm. @default all regions */
  readonly region?: string;
}

const PERIOD_MINUTES = 5;

/** Seconds that a message may wait in addition to the deliveries of a hanging job, before the lane is overloaded. */
const CROWD_SECONDS = 270;

/** @returns seconds that a message of the lane may wait: 15 minutes for a fast job, 51 for a video */
const messageSecondsMax = (lane: LaneId): number =>
  JOB_ATTEMPTS_MAX * (leaseSeconds(lane) + VISIBILITY_MARGIN_SECONDS) + CROWD_SECONDS;

/** Seconds that a task message may wait: short webhook pauses last up to 15 minutes, a hanging import 12. */
const TASK_SECONDS_MAX = 30 * 60;

/** Milliseconds that a job end event may be delayed. */
const ANNOUNCEMENT_MS_MAX = 10 * 60_000;

/** API responses with a status of 500 or more in one period: one may be a coincidence, five are not. */
const SERVER_ERRORS_MAX = 5;

/** Percentage of the distribution's responses in one period with a status of 500 or more. */
const EDGE_ERROR_PERCENT_MAX = 5;

/** Latency of the 99th percentile in milliseconds. */
const LATENCY_MS_MAX = 3_000;

/** Operations that never wait for a job. The latency of the others depends on the requested wait. */
const PROMPT_OPERATIONS: readonly OperationId[] = ["createUpload", "downloadResult"];

const sum = { statistic: "Sum", period: Duration.minutes(PERIOD_MINUTES) };
const highest = { statistic: "Maximum", period: Duration.minutes(PERIOD_MINUTES) };
const slowest = { statistic: "p99", period: Duration.minutes(PERIOD_MINUTES) };

/** @returns all watches. Errors and throttles of the API's functions appear as server errors of the API. */
export const watches = ({ settings, api, pages, lanes, tasks, announcer, ...others }: Watched): readonly Watch[] => [
  ...[...lanes].flatMap(([id, lane]) => [
    ...laneWatches(id, lane),
    ...functionWatches(`convert-file-${id}`, lane.converter),
  ]),
  ...taskIds.flatMap((id) => taskWatches(id, tasks[id])),
  ...announcerWatches(announcer),
  ...functionWatches("sweep-jobs", others.sweepJobs),
  ...functionWatches("fail-job", others.failJob),
  ...functionWatches("fail-upload", others.failUpload),
  ...PROMPT_OPERATIONS.flatMap((operation) => slowAnswers(operation, api.functions.get(operation))),
  {
    section: "server-errors",
    description: "The API returned a status of 500 or more.",
    metric: api.serverErrors,
    threshold: SERVER_ERRORS_MAX,
  },
  ...(settings.mailFrom === undefined ? [] : failureWatch("mail-does-not-go-out", api, "createSignInCode")),
  ...(settings.stripeSecret === undefined ? [] : failureWatch("stripe-events-fail", api, "receiveBillingEvent")),
  ...(pages === undefined ? [] : pageWatches(pages)),
  {
    section: "sweeper-stopped",
    description: `The sweeper has not run for three times ${SWEEP_MINUTES} minutes.`,
    metric: others.sweepJobs.lambda.metricInvocations({ statistic: "Sum", period: Duration.minutes(SWEEP_MINUTES) }),
    threshold: 1,
    periods: 3,
    bad: "less",
  },
];

const failureWatch = (section: string, { failures }: Api, operation: OperationId): readonly Watch[] => {
  const metric = failures.get(operation);
  const description = `${operation} returned a status of 500 or more.`;
  return metric === undefined ? [] : [{ section, description, metric, threshold: 1 }];
};

/** CloudFront publishes its metrics in one region only (CloudFront Developer Guide, "Viewing CloudFront metrics"). */
const CLOUDFRONT_REGION = "us-east-1";

const pageWatches = ({ distribution, deploySite }: Pages): readonly Watch[] => [
  {
    section: "pages-fail",
    description: `More than ${EDGE_ERROR_PERCENT_MAX}% of the distribution's responses have a status of 500 or more, for three periods.`,
    metric: distribution.metric5xxErrorRate({ statistic: "Average", period: Duration.minutes(PERIOD_MINUTES) }),
    threshold: EDGE_ERROR_PERCENT_MAX,
    periods: 3,
    region: CLOUDFRONT_REGION,
  },
  ...functionWatches("deploy-site", deploySite),
];

/** Dead letters are counted when they are read: they are read quickly, and SQS does not count arriving ones. */
const laneWatches = (id: LaneId, lane: Lane): readonly Watch[] => [
  {
    section: "dead-letters",
    variant: id,
    description: `A job of the ${id} lane was dead-lettered.`,
    metric: lane.deadLetters.metricNumberOfMessagesReceived(sum),
    threshold: 1,
  },
  {
    section: "oldest-message",
    variant: id,
    description: `A job has been waiting in the ${id} lane for more than ${messageSecondsMax(id) / 60} minutes.`,
    metric: lane.queue.metricApproximateAgeOfOldestMessage(highest),
    threshold: messageSecondsMax(id),
  },
];

/** Dead letters that no function reads remain until an operator handles them. */
const leftLetters = (letters: Queue): IMetric => letters.metricApproximateNumberOfMessagesVisible(highest);

const taskWatches = (id: TaskId, { name, queue, deadLetters, worker }: TaskWorker): readonly Watch[] => [
  {
    section: "dead-letters",
    variant: id,
    description: `A message of the ${id} queue was dead-lettered.`,
    metric: id === "imports" ? deadLetters.metricNumberOfMessagesReceived(sum) : leftLetters(deadLetters),
    threshold: 1,
  },
  {
    section: "oldest-message",
    variant: id,
    description: `A message has been waiting in the ${id} queue for more than ${TASK_SECONDS_MAX / 60} minutes.`,
    metric: queue.metricApproximateAgeOfOldestMessage(highest),
    threshold: TASK_SECONDS_MAX,
  },
  ...functionWatches(name, worker),
];

const announcerWatches = ({ announceEnd, deadLetters }: Announcer): readonly Watch[] => [
  {
    section: "dead-letters",
    variant: "announcements",
    description: "Webhooks of some ended jobs were not sent.",
    metric: leftLetters(deadLetters),
    threshold: 1,
  },
  {
    section: "oldest-message",
    variant: "announcements",
    description: `A job end event is delayed by ${ANNOUNCEMENT_MS_MAX / 60_000} minutes.`,
    metric: announceEnd.lambda.metric("IteratorAge", highest),
    threshold: ANNOUNCEMENT_MS_MAX,
  },
  ...functionWatches("announce-end", announceEnd),
];

const functionWatches = (variant: string, { lambda }: ServiceFunction): readonly Watch[] => [
  {
    section: "function-errors",
    variant,
    description: `The function ${variant} crashed, ran out of memory or timed out.`,
    metric: lambda.metricErrors(sum),
    threshold: 1,
  },
  {
    section: "throttles",
    variant,
    description: `The function ${variant} was throttled: too many functions run in this account.`,
    metric: lambda.metricThrottles(sum),
    threshold: 1,
  },
];

const slowAnswers = (operation: OperationId, found: ServiceFunction | undefined): readonly Watch[] =>
  found === undefined
    ? []
    : [
        {
          section: "slow-answers",
          variant: operation,
          description: `The p99 latency of ${operation} exceeds ${LATENCY_MS_MAX / 1_000} s, for three periods.`,
          metric: found.lambda.metricDuration(slowest),
          threshold: LATENCY_MS_MAX,
          periods: 3,
        },
      ];
