import { join } from "node:path";
import { App, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { Accounts } from "./accounts.ts";
import { type Assets, builtAssets } from "./assets.ts";
import { Data } from "./data.ts";
import { Firewall } from "./edge/firewall.ts";
import { applyEnvironment, environmentOf, rejectUnknown } from "./environment.ts";
import { Service } from "./service.ts";
import { readSettings } from "./settings/settings.ts";
import { synthesizeStrictly } from "./strict.ts";
import { tags } from "./tags.ts";

/** The stacks of a deployment. CDK deploys them in this order, and deletes them in reverse. */
export interface Stacks {
  readonly data: Data;
  readonly service: Service;
  readonly accounts: Accounts;
  /** In another region. @default none: no limit of each client address */
  readonly firewall: Firewall | undefined;
}

/** Adds the stacks to an app. Synthesis fails on cdk-nag findings that are not acknowledged. */
export const stacksIn = (app: App, assets: Assets): Stacks => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  rejectUnknown(app.node);
  const settings = readSettings(app.node);
  Tags.of(app).add(tags.deployment, settings.stackName);
  const data = new Data(app, `${settings.stackName}-data`, settings);
  const { requestsPerClient } = settings;
  const firewall =
    requestsPerClient === undefined
      ? undefined
      : new Firewall(app, `${settings.stackName}-firewall`, { requestsPerClient });
  const service = new Service(app, `${settings.stackName}-service`, { settings, assets, data, firewall });
  const accounts = new Accounts(app, `${settings.stackName}-accounts`, { settings, assets, data, service });
  return { data, service, accounts, firewall };
};

/** Entry point of `cdk synth`, `cdk deploy` and `cdk destroy`. */
if (import.meta.main) {
  const app = new App();
  applyEnvironment(app.node, await environmentOf(app.node));
  stacksIn(app, builtAssets(join(import.meta.dirname, "..")));
  synthesizeStrictly(app);
}
