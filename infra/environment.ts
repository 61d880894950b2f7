import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "constructs";
import type { TaskId } from "../functions/api/permissions.ts";
import type { LaneId } from "../functions/domain/conversions/lanes.ts";
import { check, textOf } from "./context-values.ts";
import type { ImagePlatform } from "./settings.ts";

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
  readonly visitors?: boolean;
  readonly stripeSecret?: string;
  readonly allowAddresses?: readonly string[];
  readonly dashboard?: boolean;
  readonly keepData?: boolean;
  readonly requestsPerSecond?: number;
  readonly requestsBurst?: number;
  readonly atOnce?: Readonly<Partial<Record<LaneId | TaskId, number>>>;
  readonly functionsQuota?: number;
  readonly tableWrites?: number;
}

const FOLDER = join(import.meta.dirname, "environments");

/**
 * @returns the settings in `infra/environments/NAME.ts`
 * @throws for an unknown name, with all names
 */
export const environmentOf = async (node: Node): Promise<Environment> => {
  const name = textOf(node, "environment") ?? "default";
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ""));
  check(names.includes(name), "environment", name, `a file in infra/environments: ${names.join(", ")}`);
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
