import { join } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { type Assets, builtAssets } from "./assets.ts";
import { Service } from "./service.ts";
import { readSettings } from "./settings.ts";

/** Puts the service into an app whose synthesis fails when cdk-nag finds what nobody has acknowledged. */
export const serviceIn = (app: App, assets: Assets): Service => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return new Service(app, { settings: readSettings(app.node), assets });
};

/** What `cdk synth`, `cdk deploy` and `cdk destroy` run. */
if (import.meta.main) {
  const app = new App();
  serviceIn(app, builtAssets(join(import.meta.dirname, "..")));
  app.synth();
}
