import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "aws-cdk-lib";
import type { CloudAssembly } from "aws-cdk-lib/cx-api";

/** The part of the report that CDK writes next to the templates. */
interface ValidationReport {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly {
      readonly ruleName: string;
      readonly description: string;
      readonly severity?: string;
    }[];
  }[];
}

/**
 * Synthesizes the app. CDK itself only prints warnings, for example about a template that CloudFormation rejects in
 * some regions.
 *
 * @throws for each warning and error that is not acknowledged, with its rule and description
 */
export const synthesizeStrictly = (app: App): CloudAssembly => {
  const assembly = app.synth();
  const report: ValidationReport = JSON.parse(readFileSync(join(assembly.directory, "validation-report.json"), "utf8"));
  const findings = report.pluginReports.flatMap(({ pluginName, violations }) =>
    violations
      .filter(({ severity }) => severity !== "info")
      .map(({ ruleName, description }) => `${pluginName} ${ruleName}: ${description}`),
  );
  if (findings.length > 0) {
    throw new Error(`The template has warnings:\n${findings.join("\n")}`);
  }
  return assembly;
};
