import { filmCosts } from "./films.ts";
import type { Prices } from "./prices.ts";

/** The cost of a deployment that nobody uses. */

/** Resources with fixed monthly costs. */
export interface Standing {
  /** Queues that Lambda polls. */
  readonly queues: number;
  /** Metrics of all alarms. */
  readonly alarmMetrics: number;
  readonly dashboards: number;
  readonly secrets: number;
  /** Domains of the DNS firewall. */
  readonly domains: number;
  /** Runs of scheduled functions per month. */
  readonly scheduledRuns: number;
}

const MINUTES_PER_MONTH = 30 * 24 * 60;

/** Five pollers read an empty queue every 20 seconds (Lambda Developer Guide, "Using Lambda with Amazon SQS"). */
const POLLS_PER_MINUTE = 5 * 3;

/** Compressed size of the container image, estimated from its Debian and npm packages. */
const IMAGE_GB = 1.5;

/** A run of the sweeper without overdue jobs: 512 MB for 0.1 s, and a query of each shard of its index. */
const RUN_GB_SECONDS = 0.05;
const RUN_READ_UNITS = 5;

/** The default settings, as `test/infra/idle-cost.test.ts` counts them in the template. */
export const STANDING: Standing = {
  queues: 11,
  alarmMetrics: 20,
  dashboards: 0,
  secrets: 2,
  domains: 4,
  scheduledRuns: MINUTES_PER_MONTH / 5,
};

/** Usage of a run of the scheduled check: an upload, a job that waits for its conversion, a download. */
const CHECK = {
  /** The check, three operations, the converter and the announcement. */
  functions: 6,
  requests: 3,
  /** The check and the waiting operation for 2 s, the converter for 1 s with 1,769 MB. */
  gbSeconds: 3.5,
  writeUnits: 12,
  readUnits: 12,
  puts: 2,
};

/** @returns optional features in USD per month, without their usage by clients */
export const optionalCost = (prices: Prices): readonly (readonly [name: string, usd: number])[] => [
  ["CloudWatch dashboard", prices.dashboardMonth],
  ["web ACL with a rate rule", prices.webAclMonth],
  [
    "network, queue and alarm metric of films",
    filmCosts(prices).standing + POLLS_PER_MINUTE * MINUTES_PER_MONTH * prices.sqsRequest + prices.alarmMetricMonth,
  ],
  [
    "queue and alarm metric of web pages",
    POLLS_PER_MINUTE * MINUTES_PER_MONTH * prices.sqsRequest + prices.alarmMetricMonth,
  ],
  [
    "service check, its secret and its alarm",
    (MINUTES_PER_MONTH / 5) *
      (CHECK.functions * prices.lambdaRequest +
        CHECK.gbSeconds * prices.lambdaGbSecond +
        CHECK.requests * (prices.apiRequest + prices.cloudFrontRequest + prices.cloudFrontFunction) +
        CHECK.writeUnits * prices.dynamoWriteUnit +
        CHECK.readUnits * prices.dynamoReadUnit +
        CHECK.puts * prices.s3Put) +
      prices.secretMonth +
      prices.alarmMetricMonth,
  ],
];

/** @returns each resource in USD per month */
export const idleCost = (
  { queues, alarmMetrics, dashboards, secrets, domains, scheduledRuns }: Standing,
  prices: Prices,
): readonly (readonly [name: string, usd: number])[] => [
  [`polling ${queues} empty queues`, queues * POLLS_PER_MINUTE * MINUTES_PER_MONTH * prices.sqsRequest],
  [`${alarmMetrics} metrics of alarms`, alarmMetrics * prices.alarmMetricMonth],
  [`${dashboards} CloudWatch dashboards`, dashboards * prices.dashboardMonth],
  ["secrets: of CloudFront and of storages", secrets * prices.secretMonth],
  ["the container image", IMAGE_GB * prices.imageGbMonth],
  [
    "the sweeper",
    scheduledRuns *
      (prices.lambdaRequest + RUN_GB_SECONDS * prices.lambdaGbSecond + RUN_READ_UNITS * prices.dynamoReadUnit),
  ],
  [`${domains} domains of the DNS firewall`, domains * prices.firewallDomainMonth],
];
