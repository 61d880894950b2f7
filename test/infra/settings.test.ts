import { Match } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { expect, test } from "vitest";
import { laneIds, lanes } from "../../functions/domain/lanes.ts";
import { taskIds } from "../../infra/permissions.ts";
import { synthesise } from "./synthesise.ts";

const CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0f1e2d3c-0000-4000-8000-000000000000";

/** The lanes that need no image. */
const ZIPPED = laneIds.filter((lane) => !lanes[lane].image);

test("a deployment can have another name, tell someone of alarms, stand behind a host, and leave nothing", () => {
  const template = synthesise({
    stackName: "files-test",
    alarmEmail: "ops@example.com",
    publicUrl: "https://files.example.com",
    keepData: "false",
  });
  template.allResources("AWS::DynamoDB::GlobalTable", {
    DeletionPolicy: "Delete",
    Properties: {
      TableName: Match.stringLikeRegexp("^files-test-"),
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })],
    },
  });
  template.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.com" });
  template.allResourcesProperties("AWS::CloudWatch::Alarm", {
    AlarmName: Match.stringLikeRegexp("^files-test-"),
    AlarmActions: [{ Ref: Match.stringLikeRegexp("Topic") }],
  });
  template.hasResourceProperties("AWS::Lambda::Function", {
    FunctionName: "files-test-get-job",
    Environment: { Variables: Match.objectLike({ ANYFORM_PUBLIC_URL: "https://files.example.com" }) },
  });
});

test("a deployment without Docker has no lane that needs an image, and its functions know that", () => {
  const template = synthesise({ images: "none" });
  const functions = Object.values(template.findResources("AWS::Lambda::Function")).map(({ Properties }) => Properties);
  expect(functions.filter(({ PackageType }) => PackageType === "Image")).toEqual([]);
  const converters = functions.filter(({ FunctionName }) => FunctionName.startsWith("anyform-convert-file-"));
  expect(converters.map(({ FunctionName }) => FunctionName.slice("anyform-convert-file-".length))).toEqual(ZIPPED);
  for (const { Environment } of functions) {
    const { ANYFORM_LANES, ...variables } = Environment.Variables;
    expect(ANYFORM_LANES).toBe(ZIPPED.join(","));
    expect(Object.keys(variables).filter((name) => /_(DOCUMENTS|MEDIA)$/.test(name))).toEqual([]);
  }
  // Each with its dead letters; those of the stream of changes have no queue before them.
  template.resourceCountIs("AWS::SQS::Queue", 2 * (ZIPPED.length + taskIds.length) + 1);
});

test("the images can be built for the processor that an operator's Docker runs on", () => {
  const template = synthesise({ images: "amd64" });
  for (const { Properties } of Object.values(template.findResources("AWS::Lambda::Function"))) {
    expect(Properties.Architectures).toEqual([Properties.PackageType === "Image" ? "x86_64" : "arm64"]);
  }
});

test.each([
  [{ stackName: "Has Spaces" }, /stackName is "Has Spaces"/],
  [{ alarmEmail: "nobody" }, /alarmEmail is "nobody"/],
  [{ publicUrl: "http://files.example.com" }, /publicUrl is "http:/],
  [{ publicUrl: "https://files.example.com/" }, /no slash at the end/],
  [{ keepData: "perhaps" }, /it must be true or false/],
  [{ images: "riscv" }, /it must be arm64, amd64 or none/],
  [{ pages: "perhaps" }, /pages is "perhaps"; it must be cloudfront or none/],
  [{ visitors: "five" }, /visitors is "five"; it must be true or false/],
  [{ mailFrom: "Anyform <codes@example.com>" }, /an e-mail address without a name/],
  [{ mailFrom: "codes@localhost" }, /mailFrom is "codes@localhost"/],
  [{ stripeSecret: "sk_live_1 whsec_2" }, /the name of a secret in Secrets Manager/],
  [{ domainName: "files.example.com" }, /certificateArn is "undefined"; it must be the ARN of a certificate/],
  [{ certificateArn: CERTIFICATE }, /beside domainName/],
  [{ domainName: "https://files.example.com", certificateArn: CERTIFICATE }, /a name such as files\.example\.com/],
  [{ domainName: "files.example.com", certificateArn: CERTIFICATE.replace("us-east-1", "eu-west-1") }, /us-east-1/],
  [{ allowAddresses: "intranet" }, /allowAddresses is "intranet"/],
  [{ allowAddresses: "10.0.0.0/33" }, /must be addresses and networks/],
  [{ allowAddresses: "127.0.0.0/8" }, /none that a function has itself/],
  [{ allowAddresses: "10.0.0.1,169.254.0.0/16" }, /none that a function has itself/],
  [{ allowAddresses: "::/0" }, /none that a function has itself/],
  [{ allowAddresses: "10.0.0.1,,10.0.0.2" }, /with commas in between/],
])("a setting that makes no sense is refused with what would: %o", (context, message) => {
  expect(() => synthesise(context)).toThrow(message);
});

test("a finding of cdk-nag that nobody has acknowledged stops the synthesis", () => {
  const careless = () => synthesise({}, (service) => new Bucket(service, "Open", { enforceSSL: false }));
  expect(careless).toThrow(/AwsSolutions-S10/);
});
