import { Duration } from "aws-cdk-lib";
import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { OperationId } from "../functions/api/routes.ts";
import { type LaneId, leaseSeconds } from "../functions/domain/lanes.ts";
import { JOB_ATTEMPTS_MAX } from "../functions/domain/limits.ts";
import type { Announcer } from "./announcer.ts";
import type { Api } from "./api.ts";
import type { ServiceFunction } from "./functions.ts";
import type { Lane } from "./lane.ts";
import type { Pages } from "./pages.ts";
import { type TaskId, taskIds } from "./permissions.ts";
import { VISIBILITY_MARGIN_SECONDS } from "./queues.ts";
import type { Settings } from "./settings.ts";
import { SWEEP_MINUTES } from "./sweeper.ts";
import type { TaskWorker } from "./tasks.ts";

/** What is watched. */
export interface Watched {
  readonly settings: Settings;
  readonly api: Api;
  /** @default there are none */
  readonly pages: Pages | undefined;
  readonly lanes: ReadonlyMap<LaneId, Lane>;
  readonly tasks: Readonly<Record<TaskId, TaskWorker>>;
  readonly announcer: Announcer;
  readonly sweepJobs: ServiceFunction;
  readonly failJob: ServiceFunction;
  readonly failUpload: ServiceFunction;
}

/** A way in which the service can fail its users, and how it shows. */
export interface Watch {
  /** The section of docs/runbook.md that says what to do. */
  readonly section: string;
  /** Tells watches of one section apart. @default nothing */
  readonly variant?: string;
  /** What happened, in one sentence. */
  readonly says: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Periods of five minutes in a row that must be bad. @default 1 */
  readonly periods?: number;
  /** `less`: below the threshold is bad, and so is no data at all. @default `more`: the threshold itself is bad */
  readonly bad?: "less" | "more";
  /** The region whose metrics know of it; in others there is no alarm. @default every one */
  readonly region?: string;
}

const PERIOD_MINUTES = 5;

/** Seconds that a message may wait beyond the deliveries of a job that hangs: the rest is a crowd. */
const CROWD_SECONDS = 270;

/** @returns seconds that a message of the lane may wait: 15 minutes of a fast job, 51 of a film */
const messageSecondsMax = (lane: LaneId): number =>
  JOB_ATTEMPTS_MAX * (leaseSeconds(lane) + VISIBILITY_MARGIN_SECONDS) + CROWD_SECONDS;

/** Seconds that a message beside the lanes may wait: a webhook's shorter pauses end at 15 minutes, a hung import after 12. */
const TASK_SECONDS_MAX = 30 * 60;

/** Milliseconds that the end of a job may wait to be told. */
const ANNOUNCEMENT_MS_MAX = 10 * 60_000;

/** Answers of the API with a status of 500 or more in one period: one may be chance, five are not. */
const SERVER_ERRORS_MAX = 5;

/** Percent of the distribution's answers in one period with a status of 500 or more. */
const EDGE_ERROR_PERCENT_MAX = 5;

/** Milliseconds for 99 of 100 answers. */
const ANSWER_MS_MAX = 3_000;

/** Operations that never wait for a job: the others take as long as their client asked them to. */
const PROMPT_OPERATIONS: readonly OperationId[] = ["createUpload", "downloadResult"];

const sum = { statistic: "Sum", period: Duration.minutes(PERIOD_MINUTES) };
const highest = { statistic: "Maximum", period: Duration.minutes(PERIOD_MINUTES) };
const slowest = { statistic: "p99", period: Duration.minutes(PERIOD_MINUTES) };

/** @returns everything that is watched. Errors and throttles of the API's functions show as its own server errors */
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
    says: "The API answered with a status of 500 or more.",
    metric: api.serverErrors,
    threshold: SERVER_ERRORS_MAX,
  },
  ...(settings.mailFrom === undefined ? [] : failureWatch("mail-does-not-go-out", api, "createSignInCode")),
  ...(settings.stripeSecret === undefined ? [] : failureWatch("stripe-events-fail", api, "receiveBillingEvent")),
  ...(pages === undefined ? [] : pageWatches(pages)),
  {
    section: "sweeper-stopped",
    says: `Nothing has looked after overdue jobs for three times ${SWEEP_MINUTES} minutes.`,
    metric: others.sweepJobs.lambda.metricInvocations({ statistic: "Sum", period: Duration.minutes(SWEEP_MINUTES) }),
    threshold: 1,
    periods: 3,
    bad: "less",
  },
];

const failureWatch = (section: string, { failures }: Api, operation: OperationId): readonly Watch[] => {
  const metric = failures.get(operation);
  const says = `${operation} answered with a status of 500 or more.`;
  return metric === undefined ? [] : [{ section, says, metric, threshold: 1 }];
};

/** CloudFront tells its metrics in one region only (CloudFront Developer Guide, "Viewing CloudFront metrics"). */
const CLOUDFRONT_REGION = "us-east-1";

const pageWatches = ({ distribution, placePages }: Pages): readonly Watch[] => [
  {
    section: "pages-fail",
    says: `More than ${EDGE_ERROR_PERCENT_MAX} of 100 answers of the distribution have a status of 500 or more, for three periods.`,
    metric: distribution.metric5xxErrorRate({ statistic: "Average", period: Duration.minutes(PERIOD_MINUTES) }),
    threshold: EDGE_ERROR_PERCENT_MAX,
    periods: 3,
    region: CLOUDFRONT_REGION,
  },
  ...functionWatches("place-pages", placePages),
];

/** The dead letters are counted as they are read: they do not lie there for long, and arriving ones are not counted. */
const laneWatches = (id: LaneId, lane: Lane): readonly Watch[] => [
  {
    section: "dead-letters",
    variant: id,
    says: `A job of the ${id} lane was given up.`,
    metric: lane.deadLetters.metricNumberOfMessagesReceived(sum),
    threshold: 1,
  },
  {
    section: "oldest-message",
    variant: id,
    says: `A job waits in the ${id} lane for more than ${messageSecondsMax(id) / 60} minutes.`,
    metric: lane.queue.metricApproximateAgeOfOldestMessage(highest),
    threshold: messageSecondsMax(id),
  },
];

/** Dead letters that no function reads lie there until somebody looks. */
const leftLetters = (letters: Queue): IMetric => letters.metricApproximateNumberOfMessagesVisible(highest);

const taskWatches = (id: TaskId, { name, queue, deadLetters, worker }: TaskWorker): readonly Watch[] => [
  {
    section: "dead-letters",
    variant: id,
    says: `A message of the queue ${id} was given up.`,
    metric: id === "imports" ? deadLetters.metricNumberOfMessagesReceived(sum) : leftLetters(deadLetters),
    threshold: 1,
  },
  {
    section: "oldest-message",
    variant: id,
    says: `A message waits in the queue ${id} for more than ${TASK_SECONDS_MAX / 60} minutes.`,
    metric: queue.metricApproximateAgeOfOldestMessage(highest),
    threshold: TASK_SECONDS_MAX,
  },
  ...functionWatches(name, worker),
];

const announcerWatches = ({ announceEnd, deadLetters }: Announcer): readonly Watch[] => [
  {
    section: "dead-letters",
    variant: "announcements",
    says: "The ends of some jobs were not told to their webhooks.",
    metric: leftLetters(deadLetters),
    threshold: 1,
  },
  {
    section: "oldest-message",
    variant: "announcements",
    says: `The end of a job has not been told for ${ANNOUNCEMENT_MS_MAX / 60_000} minutes.`,
    metric: announceEnd.lambda.metric("IteratorAge", highest),
    threshold: ANNOUNCEMENT_MS_MAX,
  },
  ...functionWatches("announce-end", announceEnd),
];

const functionWatches = (variant: string, { lambda }: ServiceFunction): readonly Watch[] => [
  {
    section: "function-errors",
    variant,
    says: `The function ${variant} crashed, ran out of memory or out of time.`,
    metric: lambda.metricErrors(sum),
    threshold: 1,
  },
  {
    section: "throttles",
    variant,
    says: `The function ${variant} was held back: too many functions run in this account.`,
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
          says: `One of 100 answers of ${operation} takes more than ${ANSWER_MS_MAX / 1_000} s, for three periods.`,
          metric: found.lambda.metricDuration(slowest),
          threshold: ANSWER_MS_MAX,
          periods: 3,
        },
      ];
