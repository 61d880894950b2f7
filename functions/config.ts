import { type LaneId, laneIds } from "./domain/lanes.ts";

/** Every environment variable of the functions, read once. The SDK reads those that begin with `AWS_` itself. */
export interface Config {
  readonly jobsTable: string;
  readonly keysTable: string;
  readonly quotasTable: string;
  readonly filesBucket: string;
  readonly queueUrls: Readonly<Record<LaneId, string>>;
  /** The queues of the work beside conversions. */
  readonly taskUrls: { readonly imports: string; readonly webhooks: string; readonly erasures: string };
  /** The lanes that are deployed. */
  readonly lanes: readonly LaneId[];
  /** Addresses and networks beside the public internet that files are fetched from and webhooks sent to. */
  readonly importAllowed: readonly string[];
  /** Whether SQS is reached elsewhere than at the host of its queues' URLs. */
  readonly queueEndpoint: boolean;
  /** Where clients reach the service, when that is not the host they name. */
  readonly publicUrl: string | undefined;
  /** What is set up with Stripe. A function that is only to know whether payments are offered gets the price alone. */
  readonly stripe: StripeSettings | undefined;
  /** The sender of mail, an identity of SES. @default no mail is sent */
  readonly mailFrom: string | undefined;
  /** Whether visitors without an account may try a few files. */
  readonly visitors: boolean;
  /** What the distribution before the API sends along, to be believed by. @default there is none */
  readonly edgeSecret: string | undefined;
  /** What CloudWatch files the metrics under; undefined: none are sent. */
  readonly metricsNamespace: string | undefined;
}

/** What an operator has set up with Stripe. */
export interface StripeSettings {
  /** `sk_…` or `rk_…`: it may make sessions of Checkout and of the portal, and read subscriptions. */
  readonly secretKey: string;
  /** `whsec_…` of the endpoint that gets the events. */
  readonly webhookSecret: string;
  /** `price_…`: what the plan `api` costs a month. */
  readonly price: string;
  /** Where Stripe's API is, in tests. @default where Stripe has it */
  readonly api: string | undefined;
}

/**
 * `ANYFORM_JOBS_TABLE`, `ANYFORM_KEYS_TABLE`, `ANYFORM_QUOTAS_TABLE`, `ANYFORM_FILES_BUCKET`, `ANYFORM_QUEUE_URL_FAST`,
 * `ANYFORM_QUEUE_URL_DATA`, `ANYFORM_QUEUE_URL_DOCUMENTS`, `ANYFORM_QUEUE_URL_MEDIA`, `ANYFORM_QUEUE_URL_IMPORTS`,
 * `ANYFORM_QUEUE_URL_WEBHOOKS`, `ANYFORM_QUEUE_URL_ERASURES`, `ANYFORM_LANES` (`fast,data`; all where it is not set),
 * `ANYFORM_ALLOW_ADDRESSES` (`10.1.0.0/16,10.2.0.7`), `ANYFORM_PUBLIC_URL`; those of {@link readStripe};
 * `ANYFORM_MAIL_FROM`, `ANYFORM_VISITORS` (`true`), `ANYFORM_EDGE_SECRET`, `ANYFORM_METRICS_NAMESPACE`;
 * `AWS_ENDPOINT_URL_SQS`. A function gets only those that it uses; what is missing becomes empty and fails on first use.
 */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => ({
  jobsTable: environment.ANYFORM_JOBS_TABLE ?? "",
  keysTable: environment.ANYFORM_KEYS_TABLE ?? "",
  quotasTable: environment.ANYFORM_QUOTAS_TABLE ?? "",
  filesBucket: environment.ANYFORM_FILES_BUCKET ?? "",
  queueUrls: {
    fast: environment.ANYFORM_QUEUE_URL_FAST ?? "",
    data: environment.ANYFORM_QUEUE_URL_DATA ?? "",
    documents: environment.ANYFORM_QUEUE_URL_DOCUMENTS ?? "",
    media: environment.ANYFORM_QUEUE_URL_MEDIA ?? "",
  },
  taskUrls: {
    imports: environment.ANYFORM_QUEUE_URL_IMPORTS ?? "",
    webhooks: environment.ANYFORM_QUEUE_URL_WEBHOOKS ?? "",
    erasures: environment.ANYFORM_QUEUE_URL_ERASURES ?? "",
  },
  lanes: laneIds.filter((lane) => environment.ANYFORM_LANES?.split(",").includes(lane) ?? true),
  importAllowed: (environment.ANYFORM_ALLOW_ADDRESSES ?? "").split(",").filter(Boolean),
  queueEndpoint: Boolean(environment.AWS_ENDPOINT_URL_SQS),
  publicUrl: environment.ANYFORM_PUBLIC_URL || undefined,
  stripe: readStripe(environment),
  mailFrom: environment.ANYFORM_MAIL_FROM || undefined,
  visitors: environment.ANYFORM_VISITORS === "true",
  edgeSecret: environment.ANYFORM_EDGE_SECRET || undefined,
  metricsNamespace: environment.ANYFORM_METRICS_NAMESPACE || undefined,
});

/** `ANYFORM_STRIPE_SECRET_KEY`, `ANYFORM_STRIPE_WEBHOOK_SECRET`, `ANYFORM_STRIPE_PRICE`, `ANYFORM_STRIPE_API`. */
export const readStripe = (environment: Readonly<Record<string, string | undefined>>): StripeSettings | undefined =>
  environment.ANYFORM_STRIPE_PRICE
    ? {
        secretKey: environment.ANYFORM_STRIPE_SECRET_KEY ?? "",
        webhookSecret: environment.ANYFORM_STRIPE_WEBHOOK_SECRET ?? "",
        price: environment.ANYFORM_STRIPE_PRICE,
        api: environment.ANYFORM_STRIPE_API || undefined,
      }
    : undefined;
