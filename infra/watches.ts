import { Duration } from "aws-cdk-lib";
import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { OperationId } from "../functions/api/routes.ts";
import { type LaneId, leaseSeconds } from "../functions/domain/lanes.ts";
import { JOB_ATTEMPTS_MAX } from "../functions/domain/limits.ts";
import type { Api } from "./api.ts";
import type { ServiceFunction } from "./functions.ts";
import { type Lane, VISIBILITY_MARGIN_SECONDS } from "./lane.ts";
import { SWEEP_MINUTES } from "./sweeper.ts";

/** What is watched. */
export interface Watched {
  readonly api: Api;
  readonly lanes: ReadonlyMap<LaneId, Lane>;
  readonly sweepJobs: ServiceFunction;
  readonly failJob: ServiceFunction;
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
}

const PERIOD_MINUTES = 5;

/** Seconds that a message may wait beyond the deliveries of a job that hangs: the rest is a crowd. */
const CROWD_SECONDS = 270;

/** @returns seconds that a message of the lane may wait: 15 minutes of a fast job, 51 of a film */
const messageSecondsMax = (lane: LaneId): number =>
  JOB_ATTEMPTS_MAX * (leaseSeconds(lane) + VISIBILITY_MARGIN_SECONDS) + CROWD_SECONDS;

/** Answers of the API with a status of 500 or more in one period: one may be chance, five are not. */
const SERVER_ERRORS_MAX = 5;

/** Milliseconds for 99 of 100 answers. */
const ANSWER_MS_MAX = 3_000;

/** Operations that never wait for a job: the others take as long as their client asked them to. */
const PROMPT_OPERATIONS: readonly OperationId[] = ["createUpload", "downloadResult"];

const sum = { statistic: "Sum", period: Duration.minutes(PERIOD_MINUTES) };
const highest = { statistic: "Maximum", period: Duration.minutes(PERIOD_MINUTES) };
const slowest = { statistic: "p99", period: Duration.minutes(PERIOD_MINUTES) };

/** @returns everything that is watched. Errors and throttles of the API's functions show as its own server errors */
export const watches = ({ api, lanes, sweepJobs, failJob }: Watched): readonly Watch[] => [
  ...[...lanes].flatMap(([id, lane]) => [
    ...laneWatches(id, lane),
    ...functionWatches(`convert-file-${id}`, lane.converter),
  ]),
  ...functionWatches("sweep-jobs", sweepJobs),
  ...functionWatches("fail-job", failJob),
  ...PROMPT_OPERATIONS.flatMap((operation) => slowAnswers(operation, api.functions.get(operation))),
  {
    section: "server-errors",
    says: "The API answered with a status of 500 or more.",
    metric: api.http.metricServerError(sum),
    threshold: SERVER_ERRORS_MAX,
  },
  {
    section: "sweeper-stopped",
    says: `Nothing has looked after overdue jobs for three times ${SWEEP_MINUTES} minutes.`,
    metric: sweepJobs.lambda.metricInvocations({ statistic: "Sum", period: Duration.minutes(SWEEP_MINUTES) }),
    threshold: 1,
    periods: 3,
    bad: "less",
  },
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
