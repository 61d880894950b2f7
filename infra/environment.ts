import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "constructs";
import type { TaskId } from "../functions/api/permissions.ts";
import type { LaneId } from "../functions/domain/conversions/lanes.ts";
import { check, textOf } from "./settings/context-values.ts";
import type { ImagePlatform, Settings } from "./settings/settings.ts";

/** Settings of an environment, as in docs/aws.md. Each can be overridden on the command line: `-c visitors=true`. */
export interface Environment {
  readonly stackName?: string;
  readonly alarmEmail?: string;
  readonly publicUrl?: string;
  readonly domainName?: string;
  readonly certificateArn?: string;
  readonly pages?: "cloudfront" | "none";
  readonly images?: ImagePlatform | "none";
  readonly mailFrom?: string;
  readonly operators?: string;
  readonly operatorPages?: string;
  readonly visitors?: boolean;
  readonly requestLog?: Settings["requestLog"];
  readonly oidcIssuer?: string;
  readonly oidcName?: string;
  readonly oidcSecret?: string;
  readonly signInCodes?: boolean;
  readonly stripeSecret?: string;
  readonly allowAddresses?: readonly string[];
  readonly rollout?: Settings["rollout"];
  readonly checkSecret?: string;
  readonly filmMegabytes?: number;
  readonly webPages?: boolean;
  readonly requestsPerClient?: number;
  readonly tracing?: boolean;
  readonly dashboard?: boolean;
  readonly keepData?: boolean;
  readonly requestsPerSecond?: number;
  readonly requestsBurst?: number;
  readonly atOnce?: Readonly<Partial<Record<LaneId | TaskId, number>>>;
  readonly functionsQuota?: number;
  readonly tableWrites?: number;
}

/** Names of all settings. The type makes it complete. */
const names: Readonly<Record<keyof Environment, true>> = {
  stackName: true,
  alarmEmail: true,
  publicUrl: true,
  domainName: true,
  certificateArn: true,
  pages: true,
  images: true,
  mailFrom: true,
  operators: true,
  operatorPages: true,
  visitors: true,
  requestLog: true,
  oidcIssuer: true,
  oidcName: true,
  oidcSecret: true,
  signInCodes: true,
  stripeSecret: true,
  allowAddresses: true,
  rollout: true,
  checkSecret: true,
  filmMegabytes: true,
  webPages: true,
  requestsPerClient: true,
  tracing: true,
  dashboard: true,
  keepData: true,
  requestsPerSecond: true,
  requestsBurst: true,
  atOnce: true,
  functionsQuota: true,
  tableWrites: true,
};

/** Flags of CDK contain other characters: `@aws-cdk/core:…`, `aws:cdk:…`, `cli-telemetry`. */
const SETTING = /^[a-zA-Z]\w*$/;

/** @throws for a context value that is neither a setting nor a flag of CDK, such as a misspelled one */
export const rejectUnknown = (node: Node): void => {
  for (const [name, value] of Object.entries<unknown>(node.getAllContext())) {
    const isKnown = !SETTING.test(name) || name === "environment" || Object.hasOwn(names, name);
    check(
      isKnown,
      name,
      String(value),
      `removed: there is no such setting. Settings: ${Object.keys(names).join(", ")}`,
    );
  }
};

const FOLDER = join(import.meta.dirname, "environments");

/**
 * @returns the settings in `infra/environments/NAME.ts`
 * @throws for an unknown name, with all names
 */
export const environmentOf = async (node: Node): Promise<Environment> => {
  const name = textOf(node, "environment") ?? "default";
  const files = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ""));
  check(files.includes(name), "environment", name, `a file in infra/environments: ${files.join(", ")}`);
  return (await import(join(FOLDER, `${name}.ts`))).environment;
};

/** Sets the context values that the command line and cdk.json do not set. Call it before anything is created. */
export const applyEnvironment = (node: Node, environment: Environment): void => {
  for (const [name, value] of Object.entries(environment)) {
    if (textOf(node, name) === undefined) {
      node.setContext(name, contextOf(value));
    }
  }
};

/** @returns the value as on the command line: `media:45,webhooks:100` */
const contextOf = (value: NonNullable<Environment[keyof Environment]>): string => {
  if (typeof value !== "object") {
    return String(value);
  }
  return Array.isArray(value)
    ? value.join(",")
    : Object.entries(value)
        .map((pair) => pair.join(":"))
        .join(",");
};
