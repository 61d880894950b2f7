import { BlockList, isIP } from "node:net";
import type { Node } from "constructs";
import { MEDIA_INPUT_BYTES_MAX } from "../../functions/domain/conversions/conversion-limits.ts";
import { type LaneId, laneIds, lanes } from "../../functions/domain/conversions/lanes.ts";
import { type Capacity, readCapacity } from "./capacity.ts";
import { type Bounds, check, flagOf, numberOf, secretOf, textOf } from "./context-values.ts";
import { type DashboardSettings, readDashboardSettings } from "./dashboard-settings.ts";

/** Processor architecture of the container images, in Docker's notation. */
export type ImagePlatform = "arm64" | "amd64";

/** Settings of a deployment, from `infra/environments` or as context: `cdk deploy -c alarmEmail=ops@example.com`. */
export interface Settings extends DashboardSettings {
  /** Prefix of the names of the stacks, so that several deployments can share an account. @default "anyform" */
  readonly stackName: string;
  /** Email address for alarms. @default none: alarms only appear in the console */
  readonly alarmEmail: string | undefined;
  /** Public URL of the service, without a trailing slash. @default the requested host */
  readonly publicUrl: string | undefined;
  /**
   * Architecture of the container images. `none` omits the lanes that need an image, and with them office documents,
   * books and videos. @default "arm64", which is cheaper on Lambda; Docker on amd64 has to emulate it
   */
  readonly images: ImagePlatform | "none";
  /**
   * Private addresses and networks that files may be downloaded from and webhooks sent to, separated by commas:
   * `10.1.0.0/16,2001:db8::7`. @default none
   */
  readonly allowAddresses: string | undefined;
  /** Whether tables are retained and protected against deletion. @default true */
  readonly keepData: boolean;
  /**
   * How new versions replace the functions of a conversion: at once, or with 10 % of the requests for five minutes, and
   * back by itself when an alarm fires. @default "at-once"
   */
  readonly rollout: "at-once" | "gradual";
  /** Name of a Secrets Manager secret whose value is a test key. The service is checked with it. @default no check */
  readonly checkSecret: string | undefined;
  /**
   * Size in MB from which audio and video are converted in Fargate Spot containers, which cost an eighth of Lambda per
   * second, start a minute later, and need a network for 22 USD per month. @default all in Lambda functions
   */
  readonly filmMegabytes: number | undefined;
  /**
   * Requests that one client address may send within five minutes, enforced by AWS WAF for 6 USD per month. @default only
   * the limits of accounts, and one for all clients together
   */
  readonly requestsPerClient: number | undefined;
  /**
   * Whether web pages are converted: a lane with internet access and without permissions, in machines that open one page
   * each. @default false
   */
  readonly webPages: boolean;
  /** Whether AWS X-Ray traces the functions outside of the isolated network. @default false */
  readonly tracing: boolean;
  /** Whether to create a CloudWatch dashboard, for 3 USD per month. @default false */
  readonly dashboard: boolean;
  /** Capacity limits. @default enough for a few conversions per second */
  readonly capacity: Capacity;
}

/** Stack names can have 128 characters, and names that CloudFormation generates start with them. */
const STACK_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * @returns the settings from the context of the command line or cdk.json
 * @throws for an invalid value, with the value and what is allowed
 */
export const readSettings = (node: Node): Settings => {
  const stackName = textOf(node, "stackName") ?? "anyform";
  check(STACK_NAME.test(stackName), "stackName", stackName, "1 to 40 lowercase letters, digits and hyphens");
  const alarmEmail = textOf(node, "alarmEmail");
  check(alarmEmail === undefined || /^\S+@\S+$/.test(alarmEmail), "alarmEmail", alarmEmail, "an e-mail address");
  const publicUrl = textOf(node, "publicUrl");
  check(
    publicUrl === undefined || /^https:\/\/\S*[^/\s]$/.test(publicUrl),
    "publicUrl",
    publicUrl,
    "https://…, without a trailing slash",
  );
  const images = textOf(node, "images") ?? "arm64";
  check(isPlatform(images) || images === "none", "images", images, "arm64, amd64 or none");
  const allowAddresses = textOf(node, "allowAddresses");
  check(
    allowAddresses?.split(",").every((text) => isNetwork(text) && !reachesItself(text)) ?? true,
    "allowAddresses",
    allowAddresses,
    "addresses and networks such as 10.1.0.0/16, separated by commas, and none of the function's local ones",
  );
  return {
    stackName,
    alarmEmail,
    publicUrl,
    allowAddresses,
    images: isPlatform(images) ? images : "none",
    keepData: flagOf(node, "keepData", true),
    dashboard: flagOf(node, "dashboard", false),
    tracing: flagOf(node, "tracing", false),
    ...operatingSettings(node),
    capacity: readCapacity(node),
    ...readDashboardSettings(node),
  };
};

/** Limits of AWS WAF (AWS WAF API Reference, "RateBasedStatement"). */
const CLIENT_REQUESTS: Bounds = { min: 10, max: 2_000_000_000 };

/** From the smallest that is worth a container to the largest input of the media lane. */
const FILM_MEGABYTES: Bounds = { min: 1, max: MEDIA_INPUT_BYTES_MAX / 1_000_000 };

const operatingSettings = (
  node: Node,
): Pick<Settings, "checkSecret" | "filmMegabytes" | "requestsPerClient" | "rollout" | "webPages"> => {
  const rollout = textOf(node, "rollout") ?? "at-once";
  check(rollout === "at-once" || rollout === "gradual", "rollout", rollout, "at-once or gradual");
  const filmMegabytes = numberOf(node, "filmMegabytes", FILM_MEGABYTES);
  check(
    filmMegabytes === undefined || textOf(node, "images") !== "none",
    "filmMegabytes",
    String(filmMegabytes),
    "removed with images=none: videos need the image",
  );
  const webPages = flagOf(node, "webPages", false);
  check(
    !webPages || textOf(node, "images") !== "none",
    "webPages",
    String(webPages),
    "removed with images=none: the browser needs the image",
  );
  const requestsPerClient = numberOf(node, "requestsPerClient", CLIENT_REQUESTS);
  check(
    requestsPerClient === undefined || textOf(node, "pages") !== "none",
    "requestsPerClient",
    String(requestsPerClient),
    "removed with pages=none: the requests are counted by the distribution",
  );
  return {
    rollout: rollout === "gradual" ? "gradual" : "at-once",
    checkSecret: secretOf(node, "checkSecret"),
    filmMegabytes,
    webPages,
    requestsPerClient,
  };
};

/** @returns the lanes that a deployment with these settings has */
export const deployedLanes = ({ images, webPages }: Pick<Settings, "images" | "webPages">): readonly LaneId[] =>
  laneIds.filter((lane) => (images !== "none" || !lanes[lane].image) && (webPages || lane !== "web"));

const isPlatform = (value: string): value is ImagePlatform => value === "arm64" || value === "amd64";

const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= most));
};

/** Local addresses of the function's runtime and credentials, which client URLs must never reach. */
const OWN_ADDRESSES = ["127.0.0.1", "169.254.100.1", "169.254.169.254", "::1", "fd00:ec2::254"] as const;

const reachesItself = (text: string): boolean => {
  const [address = "", bits] = text.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const network = new BlockList();
  network.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  return OWN_ADDRESSES.some((own) => isIP(own) === isIP(address) && network.check(own, family));
};

/** @returns the settings that operators see: the names of secrets are left out */
export const shownSettings = (settings: Settings): Readonly<Record<string, string>> => {
  const { stripeSecret, checkSecret, capacity, domain, identity, operatorPages, ...others } = settings;
  const { requestsPerSecond } = capacity;
  const shown = { ...others, domain: domain?.name, oidcIssuer: identity?.issuer, requestsPerSecond };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
};
