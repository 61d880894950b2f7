import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../functions/api/routes.ts";
import { GRADUAL } from "../../infra/api/rollout.ts";
import { bundleName } from "../../infra/bundle-name.ts";
import { allowedTo, statementsIn } from "./support/role-rights.ts";
import { EVERYTHING, functionIn, nameOf, sectionOf, synthesise, WITHOUT_PAGES } from "./support/synthesise.ts";

/** Optional features for operators: gradual deployment, the scheduled check and tracing. */

const propertiesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

const alarmIn = (template: Template, section: string): readonly [id: string, properties: Record<string, unknown>] => {
  const found = Object.entries(template.findResources("AWS::CloudWatch::Alarm")).find(
    ([, { Properties }]) => sectionOf(Properties) === section,
  );
  return [found?.[0] ?? "", found?.[1].Properties ?? {}];
};

let template: Template;
beforeAll(() => {
  template = synthesise(EVERYTHING);
});

describe("a gradual deployment", () => {
  const aliases = () => Object.entries(template.findResources("AWS::Lambda::Alias"));

  test("sends 10 % of the requests of a conversion's functions to their new version for five minutes", () => {
    const functions = template.findResources("AWS::Lambda::Function");
    const names = aliases().map(([, { Properties }]) => nameOf(functions[Properties.FunctionName.Ref]?.Properties));
    expect(names.sort()).toEqual(GRADUAL.map(bundleName).sort());
    for (const { DeploymentConfigName } of propertiesOf(template, "AWS::CodeDeploy::DeploymentGroup")) {
      expect(DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent5Minutes");
    }
    const groups = Object.keys(template.findResources("AWS::CodeDeploy::DeploymentGroup"));
    const used = aliases().map(
      ([, { UpdatePolicy }]) => UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref,
    );
    expect(used.sort()).toEqual(groups.sort());
  });

  test("calls the aliases, and all other functions directly", () => {
    const targets = propertiesOf(template, "AWS::ApiGatewayV2::Integration").map(({ IntegrationUri }) =>
      JSON.stringify(IntegrationUri),
    );
    expect(targets).toHaveLength(routes.length + 1);
    const ids = aliases().map(([id]) => id);
    expect(ids.filter((id) => !targets.includes(JSON.stringify({ Ref: id })))).toEqual([]);
    expect(targets.filter((target) => target.includes("Fn::GetAtt"))).toHaveLength(routes.length + 1 - ids.length);
  });

  test("returns to the previous version when the API fails or the scheduled check does", () => {
    const expected = ["server-errors", "service-check"].map((section) => ({
      Name: { Ref: alarmIn(template, section)[0] },
    }));
    for (const group of propertiesOf(template, "AWS::CodeDeploy::DeploymentGroup")) {
      expect(group.AlarmConfiguration).toMatchObject({ Enabled: true, Alarms: expected });
      expect(group.AutoRollbackConfiguration.Events).toEqual(
        expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM", "DEPLOYMENT_STOP_ON_REQUEST"]),
      );
    }
  });

  test("is not the default: then functions have no versions", () => {
    const simple = synthesise();
    for (const type of ["AWS::Lambda::Alias", "AWS::Lambda::Version", "AWS::CodeDeploy::DeploymentGroup"]) {
      simple.resourceCountIs(type, 0);
    }
  });
});

describe("the scheduled check", () => {
  test("runs every five minutes over the public URL, with the key of the secret, and has no permissions", () => {
    const { id, Properties } = functionIn(template, "check-service");
    const { ANYFORM_CHECK_URL: url, ANYFORM_CHECK_KEY: key } = Properties.Environment.Variables;
    expect(JSON.stringify(url)).toContain("PagesDistribution");
    expect(JSON.stringify(key)).toMatch(/resolve:secretsmanager:.*:secret:anyform\/check:SecretString/);
    expect(allowedTo(template, "check-service").filter((text) => !text.startsWith("xray:"))).toEqual([]);
    const rule = propertiesOf(template, "AWS::Events::Rule").find(({ Targets }) =>
      JSON.stringify(Targets).includes(id),
    );
    expect(rule?.ScheduleExpression).toBe("rate(5 minutes)");
  });

  test("rings one alarm when it fails twice, or does not run", () => {
    const [, alarm] = alarmIn(template, "service-check");
    expect(alarm).toMatchObject({
      MetricName: "Errors",
      Dimensions: [{ Name: "FunctionName", Value: { Ref: functionIn(template, "check-service").id } }],
      EvaluationPeriods: 2,
      Period: 300,
      Threshold: 1,
      TreatMissingData: "breaching",
    });
  });

  test("uses the API without pages", () => {
    const { Properties } = functionIn(synthesise(WITHOUT_PAGES), "check-service");
    expect(JSON.stringify(Properties.Environment.Variables.ANYFORM_CHECK_URL)).toContain("execute-api");
  });

  test("is not the default", () => {
    expect(functionIn(synthesise(), "check-service").id).toBe("");
  });
});

describe("tracing", () => {
  const tracedIn = (from: Template) =>
    propertiesOf(from, "AWS::Lambda::Function").filter(({ TracingConfig }) => TracingConfig !== undefined);

  test("covers all functions but the converters and the one that opens web pages, and is allowed exactly to them", () => {
    const isTraced = ({ VpcConfig, TenancyConfig }: Record<string, unknown>) =>
      VpcConfig === undefined && TenancyConfig === undefined;
    const all = propertiesOf(template, "AWS::Lambda::Function");
    const outside = all.filter(isTraced);
    expect(tracedIn(template).map(nameOf).sort()).toEqual(outside.map(nameOf).sort());
    const isTracing = ({ Action }: { Action: unknown }) => JSON.stringify(Action).includes("xray:");
    for (const each of all) {
      const statements = statementsIn(template, (role) => role === each.Role["Fn::GetAtt"][0]).filter(isTracing);
      expect(statements).toHaveLength(isTraced(each) ? 1 : 0);
    }
  });

  test("is not the default", () => {
    expect(tracedIn(synthesise())).toEqual([]);
  });
});
