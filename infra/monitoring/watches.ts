import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { type TaskId, taskIds } from "../../functions/api/permissions.ts";
import type { OperationId } from "../../functions/api/routes.ts";
import { type LaneId, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import { JOB_ATTEMPTS_MAX } from "../../functions/domain/limits.ts";
import type { Api } from "../api/api.ts";
import type { Pages } from "../edge/pages.ts";
import type { ServiceFunction } from "../functions.ts";
import type { Settings } from "../settings/settings.ts";
import type { Announcer } from "../workers/announcer.ts";
import type { Films } from "../workers/films.ts";
import type { Lane } from "../workers/lane.ts";
import { VISIBILITY_MARGIN_SECONDS } from "../workers/queues.ts";
import { SWEEP_MINUTES } from "../workers/sweeper.ts";
import type { TaskWorker } from "../workers/tasks.ts";
import { CHECK_MINUTES } from "./service-check.ts";

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
  /** @default the service is not checked */
  readonly check: ServiceFunction | undefined;
  /** @default no containers for films */
  readonly films: Films | undefined;
}

/** A failure of the service, and the metric that shows it. */
export interface Watch {
  /** The section of docs/runbook.md with instructions. */
  readonly section: string;
  /** What happened, in one sentence. */
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Consecutive bad periods of five minutes before the alarm. @default 1 */
  readonly periods?: number;
  /** Whether missing data is bad. @default false */
  readonly isMissingBad?: boolean;
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

/** Rejections of the gateway in one period: a client that retries hides fewer. */
const THROTTLED_MAX = 100;

/** Percentage of the distribution's responses in one period with a status of 500 or more. */
const EDGE_ERROR_PERCENT_MAX = 5;

/** Latency of the 99th percentile in milliseconds. */
const LATENCY_MS_MAX = 3_000;

/** Does not wait for a job, and needs the tables and the bucket. The latency of others depends on the requested wait. */
const PROMPT_OPERATION: OperationId = "createUpload";

/** Messages without a waiting client, or that wait for servers of others; they are watched by their dead letters. */
const UNHURRIED: readonly TaskId[] = ["erasures", "imports"];

const sum = { statistic: "Sum", period: Duration.minutes(PERIOD_MINUTES) };
const highest = { statistic: "Maximum", period: Duration.minutes(PERIOD_MINUTES) };
const slowest = { statistic: "p99", period: Duration.minutes(PERIOD_MINUTES) };

/**
 * AWS bills an alarm by its metrics. So there is one alarm per symptom: crashes and throttles of single functions end in
 * dead letters, waiting messages or server errors.
 *
 * @returns all watches
 */
export const watches = ({
  settings,
  api,
  pages,
  lanes,
  tasks,
  announcer,
  sweepJobs,
  check,
  films,
}: Watched): readonly Watch[] => [
  deadLetters([...lanes.values()], Object.values(tasks), announcer),
  oldestMessage({ lanes, tasks, announcer, films }),
  {
    section: "server-errors",
    description: "The API returned a status of 500 or more.",
    metric: api.serverErrors,
    threshold: SERVER_ERRORS_MAX,
  },
  {
    section: "throttled-requests",
    description: "The API rejected requests of all clients with 429: more arrive than requestsPerSecond allows.",
    metric: api.throttled,
    threshold: THROTTLED_MAX,
  },
  {
    section: "throttles",
    description: "Functions of this account were throttled for three periods: too many run at once.",
    metric: LambdaFunction.metricAllThrottles(sum),
    threshold: 1,
    periods: 3,
  },
  ...slowAnswers(api.functions.get(PROMPT_OPERATION)),
  ...(settings.mailFrom === undefined ? [] : failureWatch("mail-does-not-go-out", api, "createSignInCode")),
  ...(settings.stripeSecret === undefined ? [] : failureWatch("stripe-events-fail", api, "receiveBillingEvent")),
  ...(pages === undefined ? [] : [pagesFail(pages)]),
  {
    section: "sweeper-stopped",
    description: `The sweeper has failed or not run for three times ${SWEEP_MINUTES} minutes.`,
    metric: sweepJobs.lambda.metricErrors({ statistic: "Sum", period: Duration.minutes(SWEEP_MINUTES) }),
    threshold: 1,
    periods: 3,
    isMissingBad: true,
  },
  ...(check === undefined ? [] : [serviceCheck(check)]),
];

const serviceCheck = ({ lambda }: ServiceFunction): Watch => ({
  section: "service-check",
  description: `A file could not be converted over the public URL, twice within ${2 * CHECK_MINUTES} minutes.`,
  metric: lambda.metricErrors({ statistic: "Sum", period: Duration.minutes(CHECK_MINUTES) }),
  threshold: 1,
  periods: 2,
  isMissingBad: true,
});

const failureWatch = (section: string, { failures }: Api, operation: OperationId): readonly Watch[] => {
  const metric = failures.get(operation);
  const description = `${operation} returned a status of 500 or more.`;
  return metric === undefined ? [] : [{ section, description, metric, threshold: 1 }];
};

/** CloudFront publishes its metrics in one region only (CloudFront Developer Guide, "Viewing CloudFront metrics"). */
const CLOUDFRONT_REGION = "us-east-1";

const pagesFail = ({ distribution }: Pages): Watch => ({
  section: "pages-fail",
  description: `More than ${EDGE_ERROR_PERCENT_MAX}% of the distribution's responses have a status of 500 or more, for three periods.`,
  metric: distribution.metric5xxErrorRate({ statistic: "Average", period: Duration.minutes(PERIOD_MINUTES) }),
  threshold: EDGE_ERROR_PERCENT_MAX,
  periods: 3,
  region: CLOUDFRONT_REGION,
});

/**
 * Dead letters that a function reads are counted when they are read: SQS does not count arriving ones. The others remain
 * until an operator handles them.
 */
const deadLetters = (lanes: readonly Lane[], tasks: readonly TaskWorker[], announcer: Announcer): Watch => {
  const read = new Set(lanes.map((lane) => lane.deadLetters));
  const left = new Set([announcer.deadLetters]);
  for (const { name, deadLetters: letters } of tasks) {
    (name === "import-upload" ? read : left).add(letters);
  }
  const metrics = [
    ...[...read].map((letters) => letters.metricNumberOfMessagesReceived(sum)),
    ...[...left].map((letters) => letters.metricApproximateNumberOfMessagesVisible(highest)),
  ];
  return {
    section: "dead-letters",
    description: "A message was dead-lettered.",
    metric: combined(
      "SUM",
      metrics.map((metric) => [metric, 1]),
    ),
    threshold: 1,
  };
};

/** The ages of all queues, each relative to its maximum. */
const oldestMessage = ({
  lanes,
  tasks,
  announcer: { announceEnd },
  films,
}: Pick<Watched, "announcer" | "films" | "lanes" | "tasks">): Watch => ({
  section: "oldest-message",
  description: "A job or a message has been waiting for too long.",
  metric: combined("MAX", [
    ...[...lanes].map(([id, { queue }]) => [age(queue), messageSecondsMax(id)] as const),
    ...taskIds.filter((id) => !UNHURRIED.includes(id)).map((id) => [age(tasks[id].queue), TASK_SECONDS_MAX] as const),
    ...(films === undefined ? [] : [[age(films.queue), messageSecondsMax("media")] as const]),
    [announceEnd.lambda.metric("IteratorAge", highest), ANNOUNCEMENT_MS_MAX],
  ]),
  threshold: 1,
});

const age = (queue: Queue): IMetric => queue.metricApproximateAgeOfOldestMessage(highest);

/**
 * @param parts metrics with their maximum values
 * @returns the sum or maximum of all metrics, each divided by its maximum value. Metrics without data do not count
 */
const combined = (operation: "MAX" | "SUM", parts: readonly (readonly [metric: IMetric, max: number])[]): IMetric =>
  new MathExpression({
    expression: `${operation}([${parts.map(([, max], index) => (max === 1 ? `m${index}` : `m${index}/${max}`)).join(",")}])`,
    usingMetrics: Object.fromEntries(parts.map(([metric], index) => [`m${index}`, metric])),
    period: Duration.minutes(PERIOD_MINUTES),
  });

const slowAnswers = (found: ServiceFunction | undefined): readonly Watch[] =>
  found === undefined
    ? []
    : [
        {
          section: "slow-answers",
          description: `The p99 latency of ${PROMPT_OPERATION} exceeds ${LATENCY_MS_MAX / 1_000} s, for three periods.`,
          metric: found.lambda.metricDuration(slowest),
          threshold: LATENCY_MS_MAX,
          periods: 3,
        },
      ];
