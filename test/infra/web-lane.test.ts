import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { allowedTo, pairs, statementsIn } from "./support/role-rights.ts";
import { EVERYTHING, functionIn, nameOf, synthesise } from "./support/synthesise.ts";

/** The optional lane of web pages: what a page that takes over the browser could reach. */

let template: Template;
beforeAll(() => {
  template = synthesise(EVERYTHING);
});

const opener = () => functionIn(template, "open-page").Properties;
const caller = () => functionIn(template, "convert-page").Properties;

describe("the function that opens pages", () => {
  test("may write to its own log, and nothing else", () => {
    const role = opener().Role["Fn::GetAtt"][0];
    const log = opener().LoggingConfig.LogGroup.Ref;
    const statements = statementsIn(template, (holder) => holder === role);
    expect(statements.flatMap(pairs)).toEqual([
      `logs:CreateLogStream on ${short(log)}`,
      `logs:PutLogEvents on ${short(log)}`,
    ]);
    const others = Object.values(template.findResources("AWS::Lambda::Function"))
      .map(({ Properties }) => Properties)
      .filter((each) => each.LoggingConfig.LogGroup.Ref === log);
    expect(others.map(nameOf)).toEqual(["open-page"]);
    expect(template.toJSON().Resources[role].Properties.ManagedPolicyArns).toBeUndefined();
  });

  test("has a machine for each call's tenant, and is in no network of the account", () => {
    expect(opener().TenancyConfig).toEqual({ TenantIsolationMode: "PER_TENANT" });
    expect(opener().VpcConfig).toBeUndefined();
  });

  test("runs the image, and knows no table, bucket, queue or secret", () => {
    expect(opener()).toMatchObject({
      PackageType: "Image",
      Code: functionIn(template, "convert-file-media").Properties.Code,
    });
    expect(opener().Environment.Variables).toEqual({
      ANYFORM_FUNCTION: "open-page",
      ANYFORM_LANES: "fast,data,documents,media,web",
      ANYFORM_METRICS_NAMESPACE: "anyform",
    });
  });

  test("has no trigger, and one function may call it", () => {
    const { id } = functionIn(template, "open-page");
    const sources = Object.values(template.findResources("AWS::Lambda::EventSourceMapping"));
    expect(sources.filter(({ Properties }) => Properties.FunctionName.Ref === id)).toEqual([]);
    expect(
      template.findResources("AWS::Lambda::Permission", {
        Properties: { FunctionName: { "Fn::GetAtt": [id, "Arn"] } },
      }),
    ).toEqual({});
    const calls = statementsIn(template).filter(({ Action }) => [Action].flat().includes("lambda:InvokeFunction"));
    expect(calls.filter(({ Resource }) => JSON.stringify(Resource).includes(id))).toHaveLength(1);
    expect(allowedTo(template, "convert-page").filter((pair) => pair.startsWith("lambda:"))).toHaveLength(1);
  });

  test("ends before the function that waits for it", () => {
    expect(opener().Timeout).toBeLessThan(caller().Timeout);
  });
});

test("the function that waits has the permissions of a converter, reads the stored result, and has no engine", () => {
  const converter = allowedTo(template, "convert-file-fast");
  const added = allowedTo(template, "convert-page").filter(
    (pair) => !converter.includes(pair) && !pair.startsWith("xray:"),
  );
  expect(added.map((pair) => pair.replace(/ on .*?(\/results\/\*)?$/, "$1"))).toEqual([
    "lambda:InvokeFunction",
    "s3:GetObject/results/*",
  ]);
  expect(caller().Layers).toBeUndefined();
  expect(caller().PackageType).toBeUndefined();
});

test("a deployment does not have the lane unless its operator turns it on", () => {
  const usual = synthesise();
  const names = Object.values(usual.findResources("AWS::Lambda::Function")).map(({ Properties }) => nameOf(Properties));
  expect(names).toContain("convert-file-documents");
  expect(names).not.toContain("open-page");
  expect(names).not.toContain("convert-page");
  expect(functionIn(usual, "create-job").Properties.Environment.Variables.ANYFORM_LANES).toBe(
    "fast,data,documents,media",
  );
});

/** @returns the name without CDK's hash, as in permissions */
const short = (id: string): string => id.replace(/^(Tables|Tasks|Lane|Announcer)?(.*?)[0-9A-F]{8}$/, "$2");
