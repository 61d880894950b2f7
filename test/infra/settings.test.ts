import { Match } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { expect, test } from "vitest";
import { synthesise } from "./synthesise.ts";

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

test.each([
  [{ stackName: "Has Spaces" }, /stackName is "Has Spaces"/],
  [{ alarmEmail: "nobody" }, /alarmEmail is "nobody"/],
  [{ publicUrl: "http://files.example.com" }, /publicUrl is "http:/],
  [{ publicUrl: "https://files.example.com/" }, /no slash at the end/],
  [{ keepData: "perhaps" }, /it must be true or false/],
])("a setting that makes no sense is refused with what would: %o", (context, message) => {
  expect(() => synthesise(context)).toThrow(message);
});

test("a finding of cdk-nag that nobody has acknowledged stops the synthesis", () => {
  const careless = () => synthesise({}, (service) => new Bucket(service, "Open", { enforceSSL: false }));
  expect(careless).toThrow(/AwsSolutions-S10/);
});
