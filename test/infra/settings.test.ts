import { Annotations, CfnCondition, CfnOutput, CfnResource, Fn, Stack } from "aws-cdk-lib";
import { Match } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { describe, expect, test } from "vitest";
import { taskIds } from "../../functions/api/permissions.ts";
import { routes } from "../../functions/api/routes.ts";
import { lanes } from "../../functions/domain/conversions/lanes.ts";
import { bundleName } from "../../infra/bundle-name.ts";
import { usualLanes } from "./support/lanes.ts";
import { functionIn, nameOf, synthesise, synthesiseWith } from "./support/synthesise.ts";

const CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0f1e2d3c-0000-4000-8000-000000000000";

/** The lanes that need no image. */
const ZIPPED = usualLanes.filter((lane) => !lanes[lane].image);

// Settings that do not affect each other share a synthesis.
const CHANGED = {
  stackName: "files-test",
  alarmEmail: "ops@example.com",
  publicUrl: "https://files.example.com",
  keepData: "false",
  images: "amd64",
  requestsPerSecond: "600",
  atOnce: "media:45,webhooks:100",
  tableWrites: "60000",
};
const WITHOUT_IMAGES = { images: "none", requestsPerSecond: "10000", requestsBurst: "8000" };
const NEW_ACCOUNT = { functionsQuota: "10", requestsPerSecond: "10000" };

test("a deployment can set its name, alarm address and public URL, and delete its data with the stack", () => {
  const template = synthesise(CHANGED);
  template.allResources("AWS::DynamoDB::GlobalTable", {
    DeletionPolicy: "Delete",
    Properties: {
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })],
    },
  });
  template.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.com" });
  template.allResourcesProperties("AWS::CloudWatch::Alarm", {
    AlarmActions: [{ Ref: Match.stringLikeRegexp("Topic") }],
  });
  expect(functionIn(template, "get-job").Properties).toMatchObject({
    Environment: {
      Variables: { ANYFORM_PUBLIC_URL: "https://files.example.com", ANYFORM_METRICS_NAMESPACE: "files-test" },
    },
  });
});

test("a deployment without Docker omits the lanes that need an image, in its functions' settings too", () => {
  const template = synthesise(WITHOUT_IMAGES);
  const functions = Object.values(template.findResources("AWS::Lambda::Function")).map(({ Properties }) => Properties);
  expect(functions.filter(({ PackageType }) => PackageType === "Image")).toEqual([]);
  const converters = functions.map(nameOf).filter((name) => name.startsWith("convert-file-"));
  expect(converters).toEqual(ZIPPED.map((lane) => `convert-file-${lane}`));
  for (const { Environment } of functions) {
    const { ANYFORM_LANES, ...variables } = Environment.Variables;
    expect(ANYFORM_LANES).toBe(ZIPPED.join(","));
    expect(Object.keys(variables).filter((name) => /_(DOCUMENTS|MEDIA)$/.test(name))).toEqual([]);
  }
  // One queue of dead letters for all lanes, one for each task but checks, and one for the change stream.
  template.resourceCountIs("AWS::SQS::Queue", ZIPPED.length + 1 + 2 * taskIds.length);
});

test("the images can be built for the operator's processor", () => {
  const template = synthesise(CHANGED);
  for (const { Properties } of Object.values(template.findResources("AWS::Lambda::Function"))) {
    expect(Properties.Architectures).toEqual([Properties.PackageType === "Image" ? "x86_64" : "arm64"]);
  }
});

test("a deployment can allow more requests and functions, and prewarm its tables", () => {
  const template = synthesise(CHANGED);
  template.hasResourceProperties("AWS::ApiGatewayV2::Stage", {
    DefaultRouteSettings: { ThrottlingRateLimit: 600, ThrottlingBurstLimit: 1_200 },
  });
  const sources = Object.values(template.findResources("AWS::Lambda::EventSourceMapping"));
  const atOnce = (name: string) =>
    sources.find(({ Properties }) => Properties.FunctionName.Ref === functionIn(template, name).id)?.Properties
      .ScalingConfig.MaximumConcurrency;
  expect(["convert-file-media", "deliver-webhook"].map(atOnce)).toEqual([45, 100]);
  expect(["convert-file-fast", "import-upload"].map(atOnce)).toEqual([100, 20]);
  const warm = { WriteUnitsPerSecond: 60_000, ReadUnitsPerSecond: 180_000 };
  const table = (name: string) =>
    Object.entries(template.findResources("AWS::DynamoDB::GlobalTable")).find(([id]) =>
      id.startsWith(`Tables${name}`),
    )?.[1].Properties;
  expect(table("jobs")).toMatchObject({
    WarmThroughput: warm,
    GlobalSecondaryIndexes: [{ WarmThroughput: warm }, { WarmThroughput: warm }],
  });
  expect(table("quotas").WarmThroughput).toEqual(warm);
  expect(table("keys").WarmThroughput).toBeUndefined();
});

test("the default burst is limited by the account's quota", () => {
  const burst = (context: Readonly<Record<string, string>>): unknown =>
    Object.values(synthesise(context).findResources("AWS::ApiGatewayV2::Stage"))[0]?.Properties.DefaultRouteSettings
      .ThrottlingBurstLimit;
  expect(burst(NEW_ACCOUNT)).toBe(5_000);
  expect(burst(WITHOUT_IMAGES)).toBe(8_000);
});

test.each([
  [{ stackName: "Has Spaces" }, /stackName="Has Spaces"/],
  [{ alarmEmail: "nobody" }, /alarmEmail="nobody"/],
  [{ publicUrl: "http://files.example.com" }, /publicUrl="http:/],
  [{ publicUrl: "https://files.example.com/" }, /without a trailing slash/],
  [{ keepData: "perhaps" }, /must be true or false/],
  [{ dashboard: "yes" }, /dashboard="yes": must be true or false/],
  [{ images: "riscv" }, /must be arm64, amd64 or none/],
  [{ pages: "perhaps" }, /pages="perhaps": must be cloudfront or none/],
  [{ rollout: "slow" }, /rollout="slow": must be at-once or gradual/],
  [{ checkSecret: "af_live_1 or so" }, /checkSecret="af_live_1 or so": must be the name of a Secrets Manager secret/],
  [{ tracing: "sometimes" }, /tracing="sometimes": must be true or false/],
  [{ visitor: "true" }, /visitor="true": must be removed: there is no such setting/],
  [{ requestsPerClient: "5" }, /requestsPerClient="5": must be an integer from 10 to 2000000000/],
  [{ requestsPerClient: "3000", pages: "none" }, /requestsPerClient="3000": must be removed with pages=none/],
  [{ filmMegabytes: "0" }, /filmMegabytes="0": must be an integer from 1 to 5000/],
  [{ filmMegabytes: "200", images: "none" }, /filmMegabytes="200": must be removed with images=none/],
  [{ webPages: "true", images: "none" }, /webPages="true": must be removed with images=none/],
  [{ visitors: "five" }, /visitors="five": must be true or false/],
  [{ mailFrom: "Anyform <codes@example.com>" }, /an email address without a display name/],
  [{ mailFrom: "codes@localhost" }, /mailFrom="codes@localhost"/],
  [{ oidcIssuer: "http://id.example.com", oidcSecret: "anyform/oidc" }, /an https URL without a query/],
  [{ oidcIssuer: "https://id.example.com" }, /set together with oidcIssuer/],
  [{ signInCodes: "false" }, /true without oidcIssuer/],
  [{ stripeSecret: "sk_live_1 whsec_2" }, /the name of a Secrets Manager secret/],
  [{ domainName: "files.example.com" }, /certificateArn="undefined": must be the ARN of a certificate/],
  [{ certificateArn: CERTIFICATE }, /requires domainName/],
  [{ domainName: "https://files.example.com", certificateArn: CERTIFICATE }, /a domain such as files\.example\.com/],
  [{ domainName: "files.example.com", certificateArn: CERTIFICATE.replace("us-east-1", "eu-west-1") }, /us-east-1/],
  [{ allowAddresses: "intranet" }, /allowAddresses="intranet"/],
  [{ allowAddresses: "10.0.0.0/33" }, /must be addresses and networks/],
  [{ allowAddresses: "127.0.0.0/8" }, /none of the function's local ones/],
  [{ allowAddresses: "10.0.0.1,169.254.0.0/16" }, /none of the function's local ones/],
  [{ allowAddresses: "::/0" }, /none of the function's local ones/],
  [{ allowAddresses: "10.0.0.1,,10.0.0.2" }, /separated by commas/],
  [{ requestsPerSecond: "many" }, /requestsPerSecond="many": must be an integer from 1 to 1000000/],
  [{ requestsPerSecond: "0" }, /requestsPerSecond="0"/],
  [{ requestsPerSecond: "12.5" }, /requestsPerSecond="12\.5"/],
  [{ requestsBurst: "-1" }, /requestsBurst="-1"/],
  [{ tableWrites: "100" }, /an integer from 4000 to 1000000/],
  [{ functionsQuota: "5" }, /functionsQuota="5": must be an integer from 10/],
  [{ atOnce: "fast:1000" }, /functionsQuota="1000": must be .* at least 100 more than the 1710 that are reserved/],
  [{ atOnce: "media" }, /atOnce="media": must be queues with 2 to 1000 functions each, as media:45,webhooks:100/],
  [{ atOnce: "media:1" }, /atOnce="media:1"/],
  [{ atOnce: "media:1001" }, /of fast, data, documents, media, web, imports, checks, webhooks, exports, erasures\.$/],
  [{ atOnce: "media:45:46" }, /atOnce="media:45:46"/],
  [{ atOnce: "media:45,media:46" }, /atOnce="media:45,media:46"/],
  [{ atOnce: "film:45" }, /atOnce="film:45"/],
  [{ atOnce: "__proto__:45" }, /atOnce="__proto__:45"/],
])("rejects an invalid setting and states what is allowed: %o", (context, message) => {
  expect(() => synthesise(context)).toThrow(message);
});

describe("the functions of the account", () => {
  const reservedIn = (context: Readonly<Record<string, string>>): Readonly<Record<string, number | undefined>> =>
    Object.fromEntries(
      Object.values(synthesise(context).findResources("AWS::Lambda::Function")).map(({ Properties }) => [
        nameOf(Properties),
        Properties.ReservedConcurrentExecutions,
      ]),
    );

  test("are reserved for each converter, and limited for operations that wait, so that others always find some", () => {
    const reserved = reservedIn({});
    const limited = Object.fromEntries(Object.entries(reserved).filter(([, functions]) => functions !== undefined));
    expect(limited).toEqual({
      "convert-file-fast": 100,
      "convert-file-data": 80,
      "convert-file-documents": 50,
      "convert-file-media": 20,
      "create-job": 150,
      "get-job": 150,
      "job-events": 50,
      "get-upload": 40,
      "complete-upload": 40,
      "create-pipeline": 40,
      "get-pipeline": 40,
      "pipeline-events": 40,
    });
    const waiting = routes.filter(({ parameters = [] }) => parameters.includes("wait")).map(({ id }) => bundleName(id));
    expect(Object.keys(limited)).toEqual(expect.arrayContaining(waiting));
  });

  test("of an operation that waits never all wait: two windows of waits are 80 % of them", () => {
    const functions = Object.values(synthesise({}).findResources("AWS::Lambda::Function"));
    const limits = functions.flatMap(({ Properties }) => {
      const max = Properties.Environment?.Variables?.ANYFORM_WAITS_MAX;
      return max === undefined ? [] : [[2 * Number(max), Properties.ReservedConcurrentExecutions]];
    });
    expect(limits.sort(([one], [other]) => one - other)).toEqual([
      [32, 40],
      [32, 40],
      [32, 40],
      [32, 40],
      [32, 40],
      [40, 50],
      [120, 150],
      [120, 150],
    ]);
  });

  test("are not reserved in a new account, which has ten, and its queues start only two at once", () => {
    expect(Object.values(reservedIn(NEW_ACCOUNT)).filter((functions) => functions !== undefined)).toEqual([]);
    const sources = synthesise(NEW_ACCOUNT).findResources("AWS::Lambda::EventSourceMapping");
    const scaling = Object.values(sources).flatMap(({ Properties }) => Properties.ScalingConfig ?? []);
    expect(scaling).toHaveLength(usualLanes.length + taskIds.length);
    expect(scaling.map(({ MaximumConcurrency }) => MaximumConcurrency)).toEqual(scaling.map(() => 2));
  });
});

describe("the synthesis fails for", () => {
  test("an unacknowledged cdk-nag finding", () => {
    const careless = () => synthesiseWith({}, (service) => new Bucket(service, "Open", { enforceSSL: false }));
    expect(careless).toThrow(/AwsSolutions-S10/);
  });

  test("a warning of CDK, and a reference to a resource that only some regions have", () => {
    const careless = () =>
      synthesiseWith({}, (service) => {
        Annotations.of(service).addWarningV2("anyform:example", "An example.");
        const expression = Fn.conditionEquals(Stack.of(service).region, "us-east-1");
        const resource = new CfnResource(service, "Sometimes", { type: "AWS::SNS::Topic" });
        resource.cfnOptions.condition = new CfnCondition(service, "OnlyThere", { expression });
        new CfnOutput(service, "Always", { value: resource.ref });
      });
    expect(careless).toThrow(
      expect.toSatisfy(({ message }: Error) => /An example\./.test(message) && /W1001.*Sometimes/.test(message)),
    );
  });
});
