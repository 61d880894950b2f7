import { BlockList, isIP } from "node:net";
import type { Node } from "constructs";
import { type LaneId, laneIds, lanes } from "../functions/domain/lanes.ts";

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
  const keepData = textOf(node, "keepData") ?? "true";
  check(keepData === "true" || keepData === "false", "keepData", keepData, "true or false");
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
    keepData: keepData === "true",
  };
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

const textOf = (node: Node, name: string): string | undefined => {
  const value: unknown = node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
};

const check = (holds: boolean, name: string, value: string | undefined, right: string): void => {
  if (!holds) {
    throw new Error(`The context ${name} is "${value}"; it must be ${right}.`);
  }
};
