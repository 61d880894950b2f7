import { type LaneId, laneIds } from "./domain/conversions/lanes.ts";
import { type RequestLogMode, requestLogModes } from "./domain/requests/request-log-mode.ts";
import type { IdentitySettings } from "./domain/sessions/identity.ts";

/** The environment variables of the functions, read once. The SDK itself reads those that start with `AWS_`. */
export interface Config {
  readonly jobsTable: string;
  readonly keysTable: string;
  readonly quotasTable: string;
  readonly filesBucket: string;
  readonly queueUrls: Readonly<Record<LaneId, string>>;
  /** The queues of background tasks other than conversions. */
  readonly taskUrls: Readonly<Record<"imports" | "checks" | "webhooks" | "exports" | "erasures", string>>;
  /** URLs of the dead-letter queues by the names of their queues. Empty in functions that do not use it. */
  readonly deadLetterUrls: ReadonlyMap<string, string>;
  /** The lanes that are deployed. */
  readonly lanes: readonly LaneId[];
  /** Private addresses and networks that files can be fetched from and webhooks sent to. */
  readonly importAllowed: readonly string[];
  /** Whether SQS has a custom endpoint, different from the host of its queue URLs. */
  readonly queueEndpoint: boolean;
  /** The public URL of the service, if it differs from the requested host. */
  readonly publicUrl: string | undefined;
  /** Stripe settings. A function that only needs to know whether payments are enabled gets just the price. */
  readonly stripe: StripeSettings | undefined;
  /** The sender of mail, an SES identity. @default no mail is sent */
  readonly mailFrom: string | undefined;
  /** Whether visitors without an account can convert a few files. */
  readonly visitors: boolean;
  /** Email addresses of the operators, separated by commas. Empty in functions that do not use it. */
  readonly operators: string;
  /** JSON of what the deployment was set up with, without secrets. Only set for the operators' overview. */
  readonly deployment: string | undefined;
  /** Which requests are logged for their accounts. */
  readonly requestLog: RequestLogMode;
  /** The operator's identity provider. A function that only names it has no credentials. @default none */
  readonly identity: IdentitySettings | undefined;
  /** Whether sign-in codes are emailed, if there is a sender. */
  readonly signInCodes: boolean;
  /** The secret that encrypts credentials of storages. Empty in functions that do not use it. */
  readonly storageSecret: string;
  /** The secret with which the distribution authenticates its forwarding headers. @default no distribution */
  readonly edgeSecret: string | undefined;
  /** The function's name, and how many of its requests may wait at the same time. @default only limited per account */
  readonly waits: { readonly functionName: string; readonly max: number } | undefined;
  /** The CloudWatch namespace of the metrics; undefined: no metrics are sent. */
  readonly metricsNamespace: string | undefined;
  /** The queue of large media inputs. @default they are converted like all others */
  readonly films: FilmQueue | undefined;
  /** The function that opens web pages. Empty in functions that do not call it. */
  readonly pageFunction: string;
  /** Only set for the function that checks the service. */
  readonly check: ServiceCheck | undefined;
}

/** A separate queue for large inputs of the media lane. */
export interface FilmQueue {
  readonly queueUrl: string;
  /** Smallest input in bytes. */
  readonly bytesMin: number;
}

/** How the scheduled check reaches the service as a client. */
export interface ServiceCheck {
  /** The public URL. */
  readonly url: string;
  /** A test key, whose conversions are not metered. */
  readonly key: string;
}

/** The operator's Stripe settings. */
export interface StripeSettings {
  /** `sk_…` or `rk_…`, with permissions to create Checkout and portal sessions and to read subscriptions. */
  readonly secretKey: string;
  /** `whsec_…` of the webhook endpoint. */
  readonly webhookSecret: string;
  /** `price_…`: the monthly price of the plan `api`. */
  readonly price: string;
  /** The URL of Stripe's API, for tests. @default Stripe's URL */
  readonly api: string | undefined;
}

/**
 * `ANYFORM_JOBS_TABLE`, `ANYFORM_KEYS_TABLE`, `ANYFORM_QUOTAS_TABLE`, `ANYFORM_FILES_BUCKET`, `ANYFORM_QUEUE_URL_FAST`,
 * `ANYFORM_QUEUE_URL_DATA`, `ANYFORM_QUEUE_URL_DOCUMENTS`, `ANYFORM_QUEUE_URL_MEDIA`, `ANYFORM_QUEUE_URL_WEB`, `ANYFORM_QUEUE_URL_IMPORTS`,
 * `ANYFORM_QUEUE_URL_CHECKS`, `ANYFORM_QUEUE_URL_WEBHOOKS`, `ANYFORM_QUEUE_URL_EXPORTS`, `ANYFORM_QUEUE_URL_ERASURES`, `ANYFORM_STORAGE_SECRET`, `ANYFORM_LANES` (`fast,data`; all where it is not set),
 * `ANYFORM_ALLOW_ADDRESSES` (`10.1.0.0/16,10.2.0.7`), `ANYFORM_PUBLIC_URL`; those of {@link readStripe};
 * those of {@link readIdentity}; `ANYFORM_SIGN_IN_CODES` (`false`), `ANYFORM_MAIL_FROM`, `ANYFORM_VISITORS` (`true`),
 * `ANYFORM_OPERATORS`, `ANYFORM_DEPLOYMENT`, `ANYFORM_DEAD_LETTERS` (`jobs=URL imports=URL`), `ANYFORM_REQUEST_LOG` (`failed`, `off`; all where it is not set),
 * `ANYFORM_EDGE_SECRET`, `ANYFORM_WAITS_MAX`, `ANYFORM_METRICS_NAMESPACE`,
 * `ANYFORM_PAGE_FUNCTION`, `ANYFORM_CHECK_URL`, `ANYFORM_CHECK_KEY`, `ANYFORM_QUEUE_URL_FILMS`, `ANYFORM_FILM_BYTES_MIN`;
 * `AWS_ENDPOINT_URL_SQS`. A function gets only those that it uses; missing ones are empty and fail on first use.
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
    web: environment.ANYFORM_QUEUE_URL_WEB ?? "",
  },
  taskUrls: {
    imports: environment.ANYFORM_QUEUE_URL_IMPORTS ?? "",
    checks: environment.ANYFORM_QUEUE_URL_CHECKS ?? "",
    webhooks: environment.ANYFORM_QUEUE_URL_WEBHOOKS ?? "",
    exports: environment.ANYFORM_QUEUE_URL_EXPORTS ?? "",
    erasures: environment.ANYFORM_QUEUE_URL_ERASURES ?? "",
  },
  deadLetterUrls: new Map(
    (environment.ANYFORM_DEAD_LETTERS ?? "").split(" ").flatMap((entry) => {
      const [name = "", url] = entry.split("=");
      return url ? [[name, url]] : [];
    }),
  ),
  lanes: laneIds.filter((lane) => environment.ANYFORM_LANES?.split(",").includes(lane) ?? true),
  importAllowed: (environment.ANYFORM_ALLOW_ADDRESSES ?? "").split(",").filter(Boolean),
  queueEndpoint: Boolean(environment.AWS_ENDPOINT_URL_SQS),
  publicUrl: environment.ANYFORM_PUBLIC_URL || undefined,
  stripe: readStripe(environment),
  mailFrom: environment.ANYFORM_MAIL_FROM || undefined,
  visitors: environment.ANYFORM_VISITORS === "true",
  operators: environment.ANYFORM_OPERATORS ?? "",
  deployment: environment.ANYFORM_DEPLOYMENT,
  requestLog: requestLogModes.find((mode) => mode === environment.ANYFORM_REQUEST_LOG) ?? "all",
  identity: readIdentity(environment),
  signInCodes: environment.ANYFORM_SIGN_IN_CODES !== "false",
  storageSecret: environment.ANYFORM_STORAGE_SECRET ?? "",
  edgeSecret: environment.ANYFORM_EDGE_SECRET || undefined,
  waits: readWaits(environment),
  metricsNamespace: environment.ANYFORM_METRICS_NAMESPACE || undefined,
  films: readFilms(environment),
  pageFunction: environment.ANYFORM_PAGE_FUNCTION ?? "",
  check: readCheck(environment),
});

/** Lambda sets the name of the function. */
const readWaits = ({ ANYFORM_WAITS_MAX, AWS_LAMBDA_FUNCTION_NAME }: Readonly<Record<string, string | undefined>>) =>
  ANYFORM_WAITS_MAX && AWS_LAMBDA_FUNCTION_NAME
    ? { functionName: AWS_LAMBDA_FUNCTION_NAME, max: Number(ANYFORM_WAITS_MAX) }
    : undefined;

const readFilms = ({
  ANYFORM_QUEUE_URL_FILMS: queueUrl,
  ANYFORM_FILM_BYTES_MIN: bytesMin,
}: Readonly<Record<string, string | undefined>>): FilmQueue | undefined =>
  queueUrl && bytesMin ? { queueUrl, bytesMin: Number(bytesMin) } : undefined;

const readCheck = ({
  ANYFORM_CHECK_URL: url,
  ANYFORM_CHECK_KEY: key,
}: Readonly<Record<string, string | undefined>>): ServiceCheck | undefined => (url && key ? { url, key } : undefined);

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

/** `ANYFORM_OIDC_ISSUER`, `ANYFORM_OIDC_CLIENT_ID`, `ANYFORM_OIDC_CLIENT_SECRET`, `ANYFORM_OIDC_NAME`. */
export const readIdentity = (
  environment: Readonly<Record<string, string | undefined>>,
): IdentitySettings | undefined =>
  environment.ANYFORM_OIDC_ISSUER
    ? {
        issuer: environment.ANYFORM_OIDC_ISSUER,
        clientId: environment.ANYFORM_OIDC_CLIENT_ID ?? "",
        clientSecret: environment.ANYFORM_OIDC_CLIENT_SECRET ?? "",
        name: environment.ANYFORM_OIDC_NAME || undefined,
      }
    : undefined;
