import { describe, expect, test } from "vitest";
import { type Json, type Resource, resourcesIn } from "./support/deployed-template.ts";
import { EVERYTHING, synthesise, WITHOUT_PAGES } from "./support/synthesise.ts";

/**
 * CloudFormation evaluates a template's conditions before it creates anything, and rejects references to resources that
 * do not exist in the region. This evaluates them in the same way.
 */

/** The longest name of a region, the only one with CloudFront's metrics, and one of Europe. */
const REGIONS = ["us-east-1", "eu-central-1", "ap-southeast-2"] as const;

const VARIANTS: readonly Readonly<Record<string, string>>[] = [{}, WITHOUT_PAGES, { images: "none" }, EVERYTHING];

/** The longest allowed stack name. */
const LONG_NAME = { ...EVERYTHING, stackName: "a".repeat(40) };

/** Maximum length of names and descriptions (AWS API references of each service), by type and property. */
const LENGTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "AWS::ApiGatewayV2::Api": { Name: 128 },
  "AWS::CloudFront::Function": { Name: 64 },
  "AWS::CloudFront::OriginAccessControl": { "OriginAccessControlConfig.Name": 64 },
  "AWS::CloudFront::OriginRequestPolicy": { "OriginRequestPolicyConfig.Name": 128 },
  "AWS::CloudFront::ResponseHeadersPolicy": { "ResponseHeadersPolicyConfig.Name": 128 },
  "AWS::CloudWatch::Alarm": { AlarmName: 255, AlarmDescription: 1_024 },
  "AWS::CloudWatch::Dashboard": { DashboardName: 255 },
  "AWS::DynamoDB::GlobalTable": { TableName: 255 },
  "AWS::EC2::SecurityGroup": { GroupDescription: 255 },
  "AWS::Events::Rule": { Description: 512, Name: 64 },
  "AWS::IAM::Policy": { PolicyName: 128 },
  "AWS::IAM::Role": { Description: 1_000, RoleName: 64 },
  "AWS::Lambda::Function": { Description: 256, FunctionName: 64 },
  "AWS::Lambda::LayerVersion": { Description: 256, LayerName: 140 },
  "AWS::Logs::LogGroup": { LogGroupName: 512 },
  "AWS::SecretsManager::Secret": { Description: 2_048, Name: 512 },
};

/** Names of these resources are unique in an account, not in a region. */
const GLOBAL = /^AWS::(?:CloudFront::\w+|CloudWatch::Dashboard|IAM::Role)$/;

const cases = REGIONS.flatMap((region) => VARIANTS.map((context) => ({ region, context })));

describe.each(cases)("in $region with $context", ({ region, context }) => {
  test("nothing refers to a resource that the template does not create there", () => {
    const { resources, dangling } = resourcesIn(synthesise(context).toJSON(), region);
    expect(resources.size).toBeGreaterThan(100);
    expect(dangling).toEqual([]);
  });
});

/** @returns the texts of a resource that have a maximum length */
const limited = ({ Type, Properties = {} }: Resource): readonly { path: string; text: string; max: number }[] =>
  Object.entries(LENGTHS[Type] ?? {}).flatMap(([path, max]) => {
    const value = path
      .split(".")
      .reduce<Json | undefined>((at, part) => (at as Record<string, Json>)?.[part], Properties);
    return typeof value === "string" ? [{ path: `${Type} ${path}`, text: value, max }] : [];
  });

test.each(REGIONS)("names and descriptions of the longest stack name fit their limits in %s", (region) => {
  const { resources } = resourcesIn(synthesise(LONG_NAME).toJSON(), region);
  const texts = [...resources.values()].flatMap(limited);
  expect(texts.length).toBeGreaterThan(140);
  expect(texts.filter(({ text, max }) => text.length > max)).toEqual([]);
});

test("names that are unique in an account contain the region, so that two regions can have the same stack", () => {
  const named = (region: string) =>
    [...resourcesIn(synthesise(EVERYTHING).toJSON(), region).resources.values()]
      .filter(({ Type }) => GLOBAL.test(Type))
      .flatMap(limited)
      .filter(({ path }) => path.endsWith("Name"));
  const others = new Set(named("ap-southeast-2").map(({ text }) => text));
  expect(others.size).toBeGreaterThan(7);
  expect(named("eu-central-1").filter(({ text }) => others.has(text))).toEqual([]);
});

test("the check finds a reference to an absent resource, in every form", () => {
  const forms: readonly Json[] = [
    { Ref: "Absent" },
    { "Fn::GetAtt": ["Absent", "Arn"] },
    { "Fn::Sub": "arn:$" + "{Absent.Arn}" },
    { "Fn::If": ["InVirginia", { Ref: "Other" }, { Ref: "Absent" }] },
  ];
  const template = (value: Json) => ({
    Conditions: {
      InVirginia: { "Fn::Equals": [{ Ref: "AWS::Region" }, "us-east-1"] },
      Elsewhere: { "Fn::Not": [{ Condition: "InVirginia" }] },
    },
    Resources: {
      Absent: { Type: "AWS::SNS::Topic", Condition: "InVirginia" },
      Other: { Type: "AWS::SNS::Topic", Condition: "Elsewhere" },
      Always: { Type: "AWS::SNS::Topic", Properties: { TopicName: value } },
    },
  });
  for (const form of forms) {
    expect(resourcesIn(template(form), "eu-central-1").dangling).toEqual(["Always → Absent"]);
  }
  expect(resourcesIn(template({ Ref: "Absent" }), "us-east-1").dangling).toEqual([]);
});
