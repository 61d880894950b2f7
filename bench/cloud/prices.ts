/**
 * AWS list prices in us-east-1, in USD, without free tiers, as of November 2026. Other regions differ by up to a third;
 * `node bench cost --prices FILE` reads different prices from a JSON file.
 */
export const PRICES = {
  /** For a GB-second of a function on arm64 (aws.amazon.com/lambda/pricing). */
  lambdaGbSecond: 0.0000133334,
  /** Per GB-second of `/tmp` beyond 512 MB. */
  lambdaDiskGbSecond: 0.0000000309,
  lambdaRequest: 0.2 / 1e6,
  /** Per request of an HTTP API, for each 512 kB. */
  apiRequest: 1 / 1e6,
  /** Per request of a standard queue, for each 64 kB. */
  sqsRequest: 0.4 / 1e6,
  /** On demand (aws.amazon.com/dynamodb/pricing/on-demand). */
  dynamoWriteUnit: 0.625 / 1e6,
  dynamoReadUnit: 0.125 / 1e6,
  s3Put: 5 / 1e6,
  s3Get: 0.4 / 1e6,
  s3GbMonth: 0.023,
  /** Per GB of ingested logs. */
  logGb: 0.5,
  /** Per GB of egress to the internet, beyond the first 100 GB of a month. */
  egressGb: 0.09,
  /** Monthly prices of CloudWatch and Secrets Manager. */
  alarmMonth: 0.1,
  dashboardMonth: 3,
  metricMonth: 0.3,
  secretMonth: 0.4,
} as const;

export type Prices = { readonly [Name in keyof typeof PRICES]: number };

/** Resources with fixed monthly costs. */
export interface Standing {
  /** Queues that Lambda polls. */
  readonly queues: number;
  readonly alarms: number;
  /** Custom metrics, once each has data. */
  readonly metrics: number;
}

/** @returns each resource in USD per month */
export const standing = (
  { queues, alarms, metrics }: Standing,
  prices: Prices,
): readonly (readonly [name: string, usd: number])[] => [
  // Five Lambda pollers poll each queue every 20 seconds (Lambda Developer Guide, "Using Lambda with Amazon SQS").
  [`polling ${queues} empty queues`, queues * 5 * 3 * 60 * 24 * 30 * prices.sqsRequest],
  [`${alarms} alarms`, alarms * prices.alarmMonth],
  ["the CloudWatch dashboard", prices.dashboardMonth],
  ["the secret between CloudFront and the API", prices.secretMonth],
  [`${metrics} custom metrics, once jobs have had every outcome`, metrics * prices.metricMonth],
];
