import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { idleCost, STANDING } from "../../bench/cloud/idle.ts";
import { PRICES } from "../../bench/cloud/prices.ts";
import { EVERYTHING, synthesise } from "./support/synthesise.ts";

/** The monthly cost of a deployment that nobody uses, from its template. */

const USD_MAX = 6;

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const propertiesOf = (type: string, from = template) =>
  Object.values(from.findResources(type)).map(({ Properties }) => Properties);

/** @returns the metrics of an alarm: AWS bills each metric, also in an expression */
const metricsOf = ({ Metrics }: { readonly Metrics?: readonly { readonly MetricStat?: unknown }[] }): number =>
  Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("is at most 6 USD", () => {
  expect(sum(idleCost(STANDING, PRICES).map(([, usd]) => usd))).toBeLessThanOrEqual(USD_MAX);
});

test("counts exactly the resources of the template", () => {
  const polled = propertiesOf("AWS::Lambda::EventSourceMapping").filter(
    ({ EventSourceArn }) => !JSON.stringify(EventSourceArn).includes("StreamArn"),
  );
  expect(propertiesOf("AWS::Events::Rule").map(({ ScheduleExpression }) => ScheduleExpression)).toEqual([
    "rate(5 minutes)",
  ]);
  expect({
    queues: polled.length,
    alarmMetrics: sum(propertiesOf("AWS::CloudWatch::Alarm").map(metricsOf)),
    dashboards: propertiesOf("AWS::CloudWatch::Dashboard").length,
    secrets: propertiesOf("AWS::SecretsManager::Secret").length,
    domains: sum(propertiesOf("AWS::Route53Resolver::FirewallDomainList").map(({ Domains }) => Domains.length)),
    scheduledRuns: STANDING.scheduledRuns,
  }).toEqual(STANDING);
});

test("has no other resources that cost money without use", () => {
  const paid = [
    "AWS::EC2::NatGateway",
    "AWS::EC2::EIP",
    "AWS::EC2::Instance",
    "AWS::CloudWatch::CompositeAlarm",
    "AWS::KMS::Key",
    "AWS::WAFv2::WebACL",
    "AWS::Route53::HostedZone",
  ];
  for (const type of paid) {
    template.resourceCountIs(type, 0);
  }
  const endpoints = propertiesOf("AWS::EC2::VPCEndpoint").map(({ VpcEndpointType }) => VpcEndpointType);
  expect(new Set(endpoints)).toEqual(new Set(["Gateway"]));
  for (const { ProvisionedConcurrencyConfig } of propertiesOf("AWS::Lambda::Alias")) {
    expect(ProvisionedConcurrencyConfig).toBeUndefined();
  }
});

test("each alarm's expression has at most the ten metrics that CloudWatch allows", () => {
  const complete = synthesise(EVERYTHING).findResources("AWS::CloudWatch::Alarm");
  for (const alarm of Object.values(complete).map(({ Properties }) => Properties)) {
    expect(metricsOf(alarm), alarm.AlarmName).toBeLessThanOrEqual(10);
  }
});
