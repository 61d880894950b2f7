import { join } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { type Assets, builtAssets } from "./assets.ts";
import { applyEnvironment, environmentOf } from "./environment.ts";
import { Service } from "./service.ts";
import { readSettings } from "./settings.ts";
import { synthesizeStrictly } from "./strict.ts";

/** Adds the service to an app. Synthesis fails on cdk-nag findings that are not acknowledged. */
export const serviceIn = (app: App, assets: Assets): Service => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return new Service(app, { settings: readSettings(app.node), assets });
};

/** Entry point of `cdk synth`, `cdk deploy` and `cdk destroy`. */
if (import.meta.main) {
  const app = new App();
  applyEnvironment(app.node, await environmentOf(app.node));
  serviceIn(app, builtAssets(join(import.meta.dirname, "..")));
  synthesizeStrictly(app);
}
