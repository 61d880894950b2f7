import { accessSync, chmodSync, constants, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { readIdentity, readStripe, type StripeSettings } from "../functions/config.ts";
import { WAITING_JOBS_PER_CONVERTER_MAX } from "../functions/domain/limits.ts";
import { type IdentitySettings, isIssuer } from "../functions/domain/sessions/identity.ts";
import { type OperatorTexts, operatorTexts } from "../functions/domain/site/operator-pages.ts";
import { type Isolation, isolations } from "../functions/engines/core/sandbox/isolation.ts";
import { allowedEntry } from "../functions/outbound/addresses.ts";
import type { SmtpSettings } from "./accounts/smtp-mail.ts";
import type { MetricsAccess } from "./metrics/metrics-page.ts";
import { usualProcesses } from "./processes/usual-processes.ts";
import { type CountRange, countOf, type Environment, flagOf, listOf, SettingsError } from "./setting-values.ts";

/** The settings of one machine. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The public URL of the service, if it differs from the requested host: behind a proxy, for example. */
  readonly publicUrl: string | undefined;
  /** Private addresses and networks that files can be fetched from and webhooks sent to. */
  readonly importAllowed: readonly string[];
  /** Maximum number of queued jobs of all accounts. */
  readonly waitingJobsMax: number;
  /** Bytes of memory that are available to the service: they decide how many converters keep LibreOffice open. */
  readonly memoryBytes: number;
  /** Number of processes that accept requests. */
  readonly apiProcesses: number;
  /** Who may read `/metrics`. */
  readonly metricsAccess: MetricsAccess;
  /** How strictly converters are sandboxed. */
  readonly isolation: Isolation;
  /** Prefix for shell commands that must run in the service's container. */
  readonly shell: string | undefined;
  /** Stripe settings. @default plans are requested from the operator */
  readonly stripe: StripeSettings | undefined;
  /** @default there is no identity provider to sign in with */
  readonly identity: IdentitySettings | undefined;
  /** Whether sign-in codes are emailed. */
  readonly signInCodes: boolean;
  /** How mail is sent. @default mail is printed to the terminal and saved in a folder */
  readonly smtp: SmtpSettings | undefined;
  /** Email addresses of those who operate the service in the dashboard, separated by commas. @default the owner */
  readonly operators: string | undefined;
  /** Whether visitors without an account can convert a few files. */
  readonly visitors: boolean;
  /** Whether web pages are loaded for clients, where the sandbox allows it. */
  readonly webPages: boolean;
  /** Whether the service converts a small image 80 times after the start, so that the first clients find it warm. */
  readonly rehearses: boolean;
  /** Whether Gotenberg's routes are served. */
  readonly gotenberg: boolean;
  /** The texts of the operator's pages, such as terms and privacy. @default there are no such pages */
  readonly operatorTexts: OperatorTexts | undefined;
  /** Host names that clients use, in addition to those of this machine. */
  readonly hosts: readonly string[];
  /** The number of trusted proxies in front of the service. */
  readonly trustedProxies: number;
  /** Maximum number of connections of one address. */
  readonly connectionsPerAddressMax: number;
  /** Requests per minute of one address that need no API key. */
  readonly publicRequestsPerMinute: number;
}

/** @throws SettingsError for a value that cannot be used */
export const readSettings = (environment: Environment = process.env): Settings => {
  const port = Number(environment.PORT || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError(`PORT must be a number from 0 to 65535, not ${environment.PORT}.`);
  }
  const memoryBytes = memoryOf(environment.ANYFORM_MEMORY);
  return {
    host: environment.HOST || "127.0.0.1",
    port,
    dataDir: resolve(environment.DATA_DIR || ".data"),
    publicUrl: environment.ANYFORM_PUBLIC_URL || undefined,
    importAllowed: networks(environment.ANYFORM_ALLOW_ADDRESSES ?? ""),
    waitingJobsMax: waitingJobs(environment.ANYFORM_WAITING_JOBS),
    memoryBytes,
    apiProcesses: countOf(environment, "ANYFORM_API_PROCESSES", apiProcesses(memoryBytes)),
    metricsAccess: accessTo(environment.ANYFORM_METRICS, environment.ANYFORM_METRICS_TOKEN),
    isolation: isolationNamed(environment.ANYFORM_ISOLATION),
    shell: environment.ANYFORM_SHELL || undefined,
    stripe: stripeOf(environment),
    ...signInOf(environment),
    smtp: smtpOf(environment),
    operators: environment.ANYFORM_OPERATORS || undefined,
    visitors: flagOf(environment, "ANYFORM_VISITORS", "true"),
    webPages: flagOf(environment, "ANYFORM_WEB_PAGES", "true"),
    rehearses: flagOf(environment, "ANYFORM_REHEARSAL", "true"),
    gotenberg: flagOf(environment, "ANYFORM_GOTENBERG"),
    operatorTexts: textsOf(environment),
    hosts: hostsOf(environment),
    trustedProxies: proxiesOf(environment),
    connectionsPerAddressMax: countOf(environment, "ANYFORM_CONNECTIONS_PER_ADDRESS", CONNECTIONS_PER_ADDRESS),
    publicRequestsPerMinute: countOf(environment, "ANYFORM_PUBLIC_REQUESTS", PUBLIC_REQUESTS_PER_MINUTE),
  };
};

const textsOf = ({ ANYFORM_OPERATOR_PAGES: folder }: Environment): OperatorTexts | undefined => {
  try {
    return folder ? operatorTexts(readdirSync(folder), (name) => readFileSync(join(folder, name), "utf8")) : undefined;
  } catch (error) {
    const right = error instanceof RangeError ? error.message : "a folder that can be read";
    throw new SettingsError(`ANYFORM_OPERATOR_PAGES must be ${right}, not ${folder}.`);
  }
};

const hostsOf = ({ ANYFORM_HOSTS: text = "" }: Environment): string[] => {
  const hosts = listOf(text);
  const wrong = hosts.find((host) => URL.parse(`http://${host}`)?.hostname !== host.toLowerCase());
  if (wrong !== undefined) {
    throw new SettingsError(
      `ANYFORM_HOSTS must list host names or addresses without a port, such as files.example.com, not ${wrong}.`,
    );
  }
  return hosts;
};

/** The maximum length of a chain of proxies; no real setup has more. */
const PROXIES_MAX = 10;

const proxiesOf = ({ ANYFORM_TRUSTED_PROXIES: text }: Environment): number => {
  const count = Number(text || 0);
  if (!Number.isInteger(count) || count < 0 || count > PROXIES_MAX) {
    throw new SettingsError(`ANYFORM_TRUSTED_PROXIES must be a number from 0 to ${PROXIES_MAX}, not ${text}.`);
  }
  return count;
};

/** A quarter of all connections. A browser opens six; half of all is the most that one address can have. */
const CONNECTIONS_PER_ADDRESS: CountRange = { usual: 500, max: 1_000 };

/** Such a request takes less than a millisecond: 20 per second use 2 % of the service. */
const PUBLIC_REQUESTS_PER_MINUTE: CountRange = { usual: 1_200, max: 1_000_000 };

const apiProcesses = (memoryBytes: number): CountRange => ({
  usual: usualProcesses({ cores: availableParallelism(), memoryBytes, platform: process.platform }),
  max: 32,
});

/** Errors do not repeat the URL, because it can contain a password. */
const smtpOf = ({ ANYFORM_SMTP_URL: url, ANYFORM_MAIL_FROM: from }: Environment): SmtpSettings | undefined => {
  if (!url && !from) {
    return undefined;
  }
  if (!url || !from) {
    throw new SettingsError("ANYFORM_SMTP_URL and ANYFORM_MAIL_FROM must be set together; one of them is not set.");
  }
  if (!/^smtps?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new SettingsError("ANYFORM_SMTP_URL must be a URL such as smtps://user:password@mail.example.com.");
  }
  return { url, from };
};

const OIDC_NAMES = ["ANYFORM_OIDC_ISSUER", "ANYFORM_OIDC_CLIENT_ID", "ANYFORM_OIDC_CLIENT_SECRET"] as const;

const signInOf = (environment: Environment): Pick<Settings, "identity" | "signInCodes"> => {
  allOrNone(environment, OIDC_NAMES);
  const identity = readIdentity(environment);
  if (identity !== undefined && !isIssuer(identity.issuer)) {
    throw new SettingsError(
      `ANYFORM_OIDC_ISSUER must be an https URL without a query, or an http URL in a private network, not ${identity.issuer}.`,
    );
  }
  const signInCodes = flagOf(environment, "ANYFORM_SIGN_IN_CODES", "true");
  if (!signInCodes && identity === undefined) {
    throw new SettingsError("ANYFORM_SIGN_IN_CODES=false requires ANYFORM_OIDC_ISSUER: otherwise nobody can sign in.");
  }
  return { identity, signInCodes };
};

const allOrNone = (environment: Environment, names: readonly string[]): void => {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length > 0 && missing.length < names.length) {
    throw new SettingsError(`${names.join(", ")} must be set together; ${missing.join(" and ")} is not set.`);
  }
};

const STRIPE_NAMES = ["ANYFORM_STRIPE_SECRET_KEY", "ANYFORM_STRIPE_WEBHOOK_SECRET", "ANYFORM_STRIPE_PRICE"] as const;

const stripeOf = (environment: Readonly<Record<string, string | undefined>>): StripeSettings | undefined => {
  allOrNone(environment, STRIPE_NAMES);
  return readStripe(environment);
};

/** @throws SettingsError for an unknown value */
export const isolationNamed = (text: string | undefined): Isolation => {
  const named = isolations.find((isolation) => isolation === (text || "auto"));
  if (named === undefined) {
    throw new SettingsError(`ANYFORM_ISOLATION must be one of ${isolations.join(", ")}, not "${text}".`);
  }
  return named;
};

const waitingJobs = (text: string | undefined): number => {
  const jobs = Number(text || WAITING_JOBS_PER_CONVERTER_MAX * availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1) {
    throw new SettingsError(`ANYFORM_WAITING_JOBS must be a number of at least 1, not ${text}.`);
  }
  return jobs;
};

/** Less than the service and one converter need. */
const MEMORY_BYTES_MIN = 256_000_000;
const MEMORY_UNITS: Readonly<Record<string, number>> = { m: 1_000_000, g: 1_000_000_000 };

/** @returns the memory of the machine, or of the container if that is less, unless it is set */
const memoryOf = (text: string | undefined): number => {
  if (!text) {
    return Math.min(totalmem(), process.constrainedMemory() || totalmem());
  }
  const [, count = "", unit = ""] = /^(\d+)([mg])$/i.exec(text) ?? [];
  const bytes = Number(count) * (MEMORY_UNITS[unit.toLowerCase()] ?? 0);
  if (bytes < MEMORY_BYTES_MIN) {
    throw new SettingsError(`ANYFORM_MEMORY must be a size of at least 256m, such as 600m or 4g, not ${text}.`);
  }
  return bytes;
};

/** Minimum length of the token; shorter tokens can be guessed. */
const TOKEN_CHARACTERS_MIN = 16;

const accessTo = (metrics = "", token = ""): MetricsAccess => {
  if (metrics !== "" && metrics !== "public") {
    throw new SettingsError(`ANYFORM_METRICS must be "public" or unset, not "${metrics}".`);
  }
  if (token === "") {
    return metrics === "public" ? "public" : "this-machine";
  }
  if (metrics === "public") {
    throw new SettingsError(
      "ANYFORM_METRICS=public makes the metrics public. Set it or ANYFORM_METRICS_TOKEN, not both.",
    );
  }
  if (token.length < TOKEN_CHARACTERS_MIN || /\s/.test(token)) {
    throw new SettingsError(
      `ANYFORM_METRICS_TOKEN must have at least ${TOKEN_CHARACTERS_MIN} characters and no spaces.`,
    );
  }
  return { token };
};

const networks = (text: string): string[] => {
  const entries = listOf(text);
  const wrong = entries.find((entry) => allowedEntry(entry) === undefined);
  if (wrong !== undefined) {
    throw new SettingsError(
      `ANYFORM_ALLOW_ADDRESSES must list addresses or networks such as 10.1.0.0/16 or 127.0.0.1:8000, not ${wrong}.`,
    );
  }
  return entries;
};

/**
 * Creates the directory. It, and all files that this process creates from now on, are readable only by the owner.
 * @throws SettingsError when the directory cannot be created or is not writable
 */
export const prepareDataDir = ({ dataDir }: Settings): void => {
  process.umask(0o077);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (statSync(dataDir).uid === process.getuid?.()) {
      chmodSync(dataDir, 0o700);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a writable directory.`);
  }
};
