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
  /** Per GB that CloudFront sends, beyond the first TB of a month; S3 sends to CloudFront without charge. */
  egressGb: 0.085,
  /** Per HTTPS request to CloudFront (aws.amazon.com/cloudfront/pricing), and per call of a CloudFront function. */
  cloudFrontRequest: 1 / 1e6,
  cloudFrontFunction: 0.1 / 1e6,
  /** Fargate on arm64 per hour (aws.amazon.com/fargate/pricing). Spot changes with demand; 70 % off is its usual price. */
  fargateCpuHour: 0.03238,
  fargateGbHour: 0.00356,
  fargateSpotShare: 0.3,
  /** An interface endpoint per hour and zone (aws.amazon.com/privatelink/pricing). */
  endpointHour: 0.01,
  /** Monthly prices of CloudWatch, Secrets Manager, ECR and Route 53. */
  /** Per metric of an alarm. */
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  metricMonth: 0.3,
  secretMonth: 0.4,
  /** Per GB of container images. */
  imageGbMonth: 0.1,
  /** A web ACL with one rule (aws.amazon.com/waf/pricing). */
  webAclMonth: 6,
  /** Per domain of a DNS firewall (aws.amazon.com/route53/pricing). */
  firewallDomainMonth: 0.0005,
} as const;

export type Prices = { readonly [Name in keyof typeof PRICES]: number };
