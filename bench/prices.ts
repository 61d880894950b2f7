/**
 * What AWS asks in us-east-1, in USD, without free tiers: list prices of November 2026. Other regions differ by up to a third;
 * `npm run bench:cost -- --prices FILE` takes a JSON file with what differs.
 */
export const PRICES = {
  /** For a GB-second of a function on arm64 (aws.amazon.com/lambda/pricing). */
  lambdaGbSecond: 0.0000133334,
  /** For a second of a GB of `/tmp` beyond 512 MB. */
  lambdaDiskGbSecond: 0.0000000309,
  lambdaRequest: 0.2 / 1e6,
  /** For a request of an HTTP API, for each 512 kB that it has. */
  apiRequest: 1 / 1e6,
  /** For a request of a standard queue, for each 64 kB. */
  sqsRequest: 0.4 / 1e6,
  /** On demand (aws.amazon.com/dynamodb/pricing/on-demand). */
  dynamoWriteUnit: 0.625 / 1e6,
  dynamoReadUnit: 0.125 / 1e6,
  s3Put: 5 / 1e6,
  s3Get: 0.4 / 1e6,
  s3GbMonth: 0.023,
  /** For a GB of log that comes in. */
  logGb: 0.5,
  /** For a GB that leaves to the internet, beyond the first 100 GB of a month. */
  egressGb: 0.09,
  /** CloudWatch's and Secrets Manager's prices for what stands for a month. */
  alarmMonth: 0.1,
  dashboardMonth: 3,
  metricMonth: 0.3,
  secretMonth: 0.4,
} as const;

export type Prices = { readonly [Name in keyof typeof PRICES]: number };

/** What stands there and is paid for by the month, whether anything is converted or not. */
export interface Standing {
  /** Queues that Lambda asks for messages. */
  readonly queues: number;
  readonly alarms: number;
  /** Metrics of our own, once each was written to. */
  readonly metrics: number;
}

/** @returns each in USD a month */
export const standing = (
  { queues, alarms, metrics }: Standing,
  prices: Prices,
): readonly (readonly [name: string, usd: number])[] => [
  // Five pollers of Lambda ask each queue every 20 seconds (Lambda Developer Guide, "Using Lambda with Amazon SQS").
  [`looking into ${queues} empty queues`, queues * 5 * 3 * 60 * 24 * 30 * prices.sqsRequest],
  [`${alarms} alarms`, alarms * prices.alarmMonth],
  ["the CloudWatch dashboard", prices.dashboardMonth],
  ["the secret between CloudFront and the API", prices.secretMonth],
  [`${metrics} metrics of our own, once jobs end in every way`, metrics * prices.metricMonth],
];
