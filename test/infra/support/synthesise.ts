import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, type Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { ContainerImage } from "aws-cdk-lib/aws-ecs";
import { Code } from "aws-cdk-lib/aws-lambda";
import { inject, vi } from "vitest";
import { stacksIn } from "../../../infra/app.ts";
import type { Assets } from "../../../infra/assets.ts";
import type { Service } from "../../../infra/service.ts";
import { synthesizeStrictly } from "../../../infra/strict.ts";
import { tags } from "../../../infra/tags.ts";
import { madeOnce } from "../../support/run/made-once.ts";
import { joined } from "./joined-template.ts";

// A synthesis with cdk-nag takes 5 s of CPU, and test files wait for each other's; on a busy machine that is minutes.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** The template of each stack. */
export interface Templates {
  readonly data: Template;
  readonly service: Template;
  readonly accounts: Template;
}

/** Settings with every optional feature. */
export const EVERYTHING: Context = {
  alarmEmail: "ops@example.com",
  mailFrom: "codes@example.com",
  stripeSecret: "anyform/stripe",
  dashboard: "true",
  visitors: "true",
  rollout: "gradual",
  checkSecret: "anyform/check",
  tracing: "true",
  requestsPerClient: "3000",
  filmMegabytes: "500",
  webPages: "true",
};

/** Settings without the distribution. */
export const WITHOUT_PAGES: Context = { pages: "none", checkSecret: "anyform/check" };

type Context = Readonly<Record<string, string>>;

/**
 * Synthesizes the stacks as `cdk synth` does, with the flags of cdk.json, but with empty code: nothing is bundled. All
 * files of a run with the same context share the templates.
 *
 * @throws for a warning or a finding of cdk-nag that is not acknowledged
 */
export const stacksWith = (context: Context = {}): Templates => {
  const name = createHash("sha256").update(JSON.stringify(context)).digest("hex").slice(0, 16);
  const path = join(inject("shared"), `${name}.json`);
  const made: Record<keyof Templates, object> = JSON.parse(
    madeOnce(path, () => {
      const { data, service, accounts } = synthesiseWith(context, () => {});
      return JSON.stringify({ data: data.toJSON(), service: service.toJSON(), accounts: accounts.toJSON() });
    }),
  );
  const template = (stack: keyof Templates) => Template.fromJSON(made[stack]);
  return { data: template("data"), service: template("service"), accounts: template("accounts") };
};

/** @returns the stacks as one template, with the references between them */
export const synthesise = (context: Context = {}): Template => {
  const { data, service, accounts } = stacksWith(context);
  return Template.fromJSON(joined([data.toJSON(), service.toJSON(), accounts.toJSON()]));
};

/** @param change what to do to the stack of the service before it is synthesized */
export const synthesiseWith = (context: Context, change: (service: Service) => void): Templates => {
  const folder = mkdtempSync(join(tmpdir(), "anyform-synth-"));
  try {
    const { context: flags } = JSON.parse(readFileSync("cdk.json", "utf8"));
    const app = new App({ outdir: join(folder, "cdk.out"), context: { ...flags, ...context } });
    const { data, service, accounts } = stacksIn(app, emptyAssets(folder));
    change(service);
    const assembly = synthesizeStrictly(app);
    const templateOf = ({ stackName }: Stack) => Template.fromJSON(assembly.getStackByName(stackName).template);
    return { data: templateOf(data), service: templateOf(service), accounts: templateOf(accounts) };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** @returns the function with this tag: its logical ID and its properties */
export const functionIn = (template: Template, name: string) => {
  const found = Object.entries(template.findResources("AWS::Lambda::Function")).filter(
    ([, { Properties }]) => nameOf(Properties) === name,
  );
  const [[id, { Properties }] = ["", { Properties: {} }]] = found;
  return { id, Properties };
};

/** @returns the tag that identifies a function: `get-job` */
export const nameOf = ({ Tags = [] }: { readonly Tags?: readonly { Key: string; Value: string }[] }): string =>
  Tags.find(({ Key }) => Key === tags.function)?.Value ?? "";

/** @returns the runbook section that an alarm names */
export const sectionOf = ({ AlarmDescription = "" }: { readonly AlarmDescription?: string }): string =>
  /docs\/runbook\.md#([a-z0-9-]+)$/.exec(AlarmDescription)?.[1] ?? "";

/** Code that does nothing, and differs between functions, as real code does. */
const emptyAssets = (folder: string): Assets => {
  const code = (name: string): Code => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "index.js"), `// ${name}`);
    return Code.fromAsset(path);
  };
  const image = (platform: string): string => {
    const path = join(folder, `image-${platform}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "Dockerfile"), "FROM scratch\n");
    return path;
  };
  return {
    functionCode: code,
    functionFingerprint: (name) => name,
    layerCode: (engine) => code(`layer-${engine}`),
    imageCode: (platform) => Code.fromAssetImage(image(platform)),
    taskImage: (platform) => ContainerImage.fromAsset(image(platform)),
  };
};
