import { BlockList, isIP } from "node:net";
import type { Node } from "constructs";
import { type LaneId, laneIds, lanes } from "../functions/domain/lanes.ts";
import { type Capacity, readCapacity } from "./capacity.ts";
import { check, flagOf, textOf } from "./context-values.ts";

/** The processor of the container images, as Docker calls it. */
export type ImagePlatform = "arm64" | "amd64";

/** What an operator may choose about a deployment, as context: `cdk deploy -c alarmEmail=ops@example.com`. */
export interface Settings {
  /** @default "anyform"; it begins the name of everything, so several deployments can share an account. */
  readonly stackName: string;
  /** Who is told of alarms. @default nobody: alarms only show in the console */
  readonly alarmEmail: string | undefined;
  /** Where clients reach the service, without a slash at the end. @default the host that they name */
  readonly publicUrl: string | undefined;
  /**
   * The processor that the container images are built for; `none`: the lanes that need one are left out, and with them
   * office documents, books and films. @default "arm64": Lambda's is cheaper, and a Docker on amd64 has to emulate it
   */
  readonly images: ImagePlatform | "none";
  /**
   * Addresses and networks beside the public internet that files are fetched from and webhooks sent to, with commas in
   * between: `10.1.0.0/16,2001:db8::7`. @default none
   */
  readonly allowAddresses: string | undefined;
  /** Whether tables outlive the stack and refuse to be deleted. @default true */
  readonly keepData: boolean;
  /** Whether the dashboard is served, by a CloudFront distribution that the API stands behind, too. @default true */
  readonly pages: boolean;
  /** A name of one's own for the distribution, and its certificate in us-east-1. @default CloudFront's own name */
  readonly domain: Domain | undefined;
  /**
   * Where codes to sign in are sent from: an address that SES knows, or one of a domain that it knows. @default no codes are
   * sent, so nobody can sign in
   */
  readonly mailFrom: string | undefined;
  /** Whether visitors without an account may try a few small files a day. @default false */
  readonly visitors: boolean;
  /**
   * Name of a secret in Secrets Manager with what Stripe gave: JSON with `secretKey`, `webhookSecret` and `price`.
   * @default plans are asked for, and approved by `npm run accounts`
   */
  readonly stripeSecret: string | undefined;
  /** How much of it there may be at once. @default what one or a few conversions a second need */
  readonly capacity: Capacity;
}

/** A name that leads to the distribution. */
export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
}

/** A stack's name may have 128 characters; a function's name, which it begins, has 64, and ours end in up to 15. */
const STACK_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * @returns the settings that the context of the command line or of cdk.json gives
 * @throws when one makes no sense: with its value, and what would
 */
export const readSettings = (node: Node): Settings => {
  const stackName = textOf(node, "stackName") ?? "anyform";
  check(STACK_NAME.test(stackName), "stackName", stackName, "1 to 40 small letters, digits and hyphens");
  const alarmEmail = textOf(node, "alarmEmail");
  check(alarmEmail === undefined || /^\S+@\S+$/.test(alarmEmail), "alarmEmail", alarmEmail, "an e-mail address");
  const publicUrl = textOf(node, "publicUrl");
  check(
    publicUrl === undefined || /^https:\/\/\S*[^/\s]$/.test(publicUrl),
    "publicUrl",
    publicUrl,
    "https://…, no slash at the end",
  );
  const images = textOf(node, "images") ?? "arm64";
  check(isPlatform(images) || images === "none", "images", images, "arm64, amd64 or none");
  const allowAddresses = textOf(node, "allowAddresses");
  check(
    allowAddresses?.split(",").every((text) => isNetwork(text) && !reachesItself(text)) ?? true,
    "allowAddresses",
    allowAddresses,
    "addresses and networks, as 10.1.0.0/16, with commas in between, and none that a function has itself",
  );
  return {
    stackName,
    alarmEmail,
    publicUrl,
    allowAddresses,
    images: isPlatform(images) ? images : "none",
    keepData: flagOf(node, "keepData", true),
    capacity: readCapacity(node),
    ...dashboardSettings(node),
  };
};

/** A name of ours in SES or in DNS: labels of letters, digits and hyphens. */
const HOST = String.raw`[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+`;

const dashboardSettings = (
  node: Node,
): Pick<Settings, "domain" | "mailFrom" | "pages" | "stripeSecret" | "visitors"> => {
  const pages = textOf(node, "pages") ?? "cloudfront";
  check(pages === "cloudfront" || pages === "none", "pages", pages, "cloudfront or none");
  const mailFrom = textOf(node, "mailFrom");
  const isAddress = new RegExp(`^[\\w.+-]{1,64}@${HOST}$`, "i");
  check(mailFrom === undefined || isAddress.test(mailFrom), "mailFrom", mailFrom, "an e-mail address without a name");
  const stripeSecret = textOf(node, "stripeSecret");
  check(
    stripeSecret === undefined || /^[\w/+=.@-]{1,512}$/.test(stripeSecret),
    "stripeSecret",
    stripeSecret,
    "the name of a secret in Secrets Manager",
  );
  const visitors = flagOf(node, "visitors", false);
  return { pages: pages === "cloudfront", domain: domainOf(node), mailFrom, visitors, stripeSecret };
};

/** CloudFront takes certificates of us-east-1 alone (CloudFront Developer Guide, "Requirements for certificates"). */
const CERTIFICATE = /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/;

const domainOf = (node: Node): Domain | undefined => {
  const [name, certificateArn] = [textOf(node, "domainName"), textOf(node, "certificateArn")];
  check(
    name === undefined || new RegExp(`^${HOST}$`).test(name),
    "domainName",
    name,
    "a name such as files.example.com",
  );
  check(
    certificateArn === undefined ? name === undefined : CERTIFICATE.test(certificateArn) && name !== undefined,
    "certificateArn",
    certificateArn,
    "the ARN of a certificate in us-east-1, beside domainName",
  );
  return name === undefined || certificateArn === undefined ? undefined : { name, certificateArn };
};

/** @returns the lanes that a deployment with these settings has */
export const deployedLanes = ({ images }: Settings): readonly LaneId[] =>
  laneIds.filter((lane) => images !== "none" || !lanes[lane].image);

const isPlatform = (value: string): value is ImagePlatform => value === "arm64" || value === "amd64";

const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= most));
};

/** Where the runtime of a function, and what it is told, are reached from within: for no stranger's URL. */
const OWN_ADDRESSES = ["127.0.0.1", "169.254.100.1", "169.254.169.254", "::1", "fd00:ec2::254"] as const;

const reachesItself = (text: string): boolean => {
  const [address = "", bits] = text.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const network = new BlockList();
  network.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  return OWN_ADDRESSES.some((own) => isIP(own) === isIP(address) && network.check(own, family));
};
