import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import { IMPORT_MS_MAX, JOB_ATTEMPTS_MAX, WEBHOOK_ATTEMPT_MS_MAX } from "../../functions/domain/limits.ts";
import { usualLanes } from "./support/lanes.ts";
import { functionIn, nameOf, synthesise } from "./support/synthesise.ts";

/** Maximum of Lambda (AWS Lambda Developer Guide, "Lambda quotas"). */
const FUNCTION_SECONDS_MAX = 900;

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const resources = () => template.toJSON().Resources;
const functionNamed = (name: string) => functionIn(template, name).Properties;
const functionId = (name: string) => functionIn(template, name).id;

/** @returns the event source of the function, and its queue if it has one */
const sourceOf = (name: string) => {
  const [mapping] = Object.values(
    template.findResources("AWS::Lambda::EventSourceMapping", {
      Properties: { FunctionName: { Ref: functionId(name) } },
    }),
  );
  return {
    mapping: mapping?.Properties,
    queue: resources()[mapping?.Properties.EventSourceArn["Fn::GetAtt"][0]].Properties,
  };
};

describe("a lane", () => {
  const deadLettersOf = (arn: { "Fn::GetAtt": [string, string] }) => {
    const [mapping] = Object.values(
      template.findResources("AWS::Lambda::EventSourceMapping", { Properties: { EventSourceArn: arn } }),
    );
    return { mapping: mapping?.Properties, queue: resources()[arn["Fn::GetAtt"][0]].Properties };
  };

  const atOnce: Readonly<Record<string, number>> = { fast: 100, data: 80, documents: 50, media: 20 };

  test.each(usualLanes)(
    "%s sends its function one message at a time, limits concurrency, and receives failures",
    (lane) => {
      expect(sourceOf(`convert-file-${lane}`).mapping).toMatchObject({
        BatchSize: 1,
        ScalingConfig: { MaximumConcurrency: atOnce[lane] },
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
    },
  );

  test.each(usualLanes)("%s hides a message for longer than its function may run, which is a job's lease", (lane) => {
    const { Timeout } = functionNamed(`convert-file-${lane}`);
    expect(Timeout).toBe(leaseSeconds(lane));
    expect(Timeout).toBeLessThanOrEqual(FUNCTION_SECONDS_MAX);
    expect(sourceOf(`convert-file-${lane}`).queue.VisibilityTimeout).toBe(Timeout + 30);
  });

  test.each(usualLanes)(
    "%s fails a job after far more deliveries than a job has attempts, since throttles count",
    (lane) => {
      const { RedrivePolicy } = sourceOf(`convert-file-${lane}`).queue;
      expect(RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(5 * JOB_ATTEMPTS_MAX);
      const { mapping, queue } = deadLettersOf(RedrivePolicy.deadLetterTargetArn);
      expect(mapping?.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
      expect(mapping?.FunctionName).toEqual({ Ref: functionId("fail-job") });
      expect(queue.VisibilityTimeout).toBeGreaterThan(functionNamed("fail-job").Timeout);
      expect(queue.MessageRetentionPeriod).toBe(14 * 86_400);
    },
  );

  test("is swept every five minutes", () => {
    template.hasResourceProperties("AWS::Events::Rule", {
      ScheduleExpression: "rate(5 minutes)",
      State: "ENABLED",
    });
  });
});

describe("work other than conversions", () => {
  test.each([
    ["import-upload", 20, 660],
    ["deliver-webhook", 50, 30],
    ["erase-files", 5, 30],
  ])("%s receives one message at a time, hidden for longer than it may run, and keeps dead letters", (...row) => {
    const [name, atOnce, seconds] = row;
    const { mapping, queue } = sourceOf(name);
    expect(mapping).toMatchObject({
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: atOnce },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
    expect(functionNamed(name).Timeout).toBe(seconds);
    expect(queue.VisibilityTimeout).toBe(seconds + 30);
    expect(queue.RedrivePolicy.maxReceiveCount).toBe(20);
    const letters = resources()[queue.RedrivePolicy.deadLetterTargetArn["Fn::GetAtt"][0]].Properties;
    expect(letters.MessageRetentionPeriod).toBe(14 * 86_400);
  });

  test("an import has its full ten minutes, and a webhook attempt its fifteen seconds", () => {
    expect(functionNamed("import-upload").Timeout * 1_000).toBeGreaterThan(IMPORT_MS_MAX);
    expect(functionNamed("deliver-webhook").Timeout * 1_000).toBeGreaterThan(WEBHOOK_ATTEMPT_MS_MAX);
  });

  test("has the default disk size, which is free, since it stores nothing", () => {
    for (const name of ["import-upload", "deliver-webhook", "erase-files", "announce-end"]) {
      expect(functionNamed(name).EphemeralStorage.Size).toBe(512);
    }
  });

  test("the end of a job invokes the announcer only if the job has a webhook", () => {
    const { mapping, queue: table } = sourceOf("announce-end");
    expect(table.StreamSpecification).toEqual({ StreamViewType: "NEW_IMAGE" });
    const [{ Pattern }] = mapping?.FilterCriteria.Filters ?? [];
    expect(JSON.parse(Pattern)).toEqual({
      eventName: ["MODIFY"],
      dynamodb: {
        NewImage: {
          kind: { S: ["job"] },
          status: { S: ["completed", "failed", "cancelled"] },
          webhook: { M: { url: { S: [{ exists: true }] } } },
        },
      },
    });
  });

  test("a failed announcement is retried from the first failed record, and finally kept", () => {
    const { mapping } = sourceOf("announce-end");
    expect(mapping).toMatchObject({
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 20,
      MaximumRecordAgeInSeconds: 12 * 3_600,
    });
    const letters = resources()[mapping?.DestinationConfig.OnFailure.Destination["Fn::GetAtt"][0]];
    expect(letters).toMatchObject({ Type: "AWS::SQS::Queue", Properties: { MessageRetentionPeriod: 14 * 86_400 } });
  });
});

describe("functions that connect to external servers", () => {
  const OUTBOUND = [
    "create-oidc-session",
    "deliver-export",
    "deliver-webhook",
    "import-upload",
    "start-oidc-sign-in",
    "test-storage",
    "test-webhook-endpoint",
  ];

  test("run outside the isolated network, and are the only ones with the additional allowed addresses", () => {
    const opened = synthesise({ allowAddresses: "10.1.0.0/16,2001:db8::7" });
    const functions = Object.values(opened.findResources("AWS::Lambda::Function")).map(({ Properties }) => Properties);
    const knowing = functions.filter(({ Environment }) => "ANYFORM_ALLOW_ADDRESSES" in Environment.Variables);
    expect(knowing.map(nameOf).sort()).toEqual(OUTBOUND);
    for (const { Environment, VpcConfig } of knowing) {
      expect(Environment.Variables.ANYFORM_ALLOW_ADDRESSES).toBe("10.1.0.0/16,2001:db8::7");
      expect(VpcConfig).toBeUndefined();
    }
  });

  test.each(OUTBOUND)("%s has no additional addresses without that setting", (name) => {
    expect(functionNamed(name).Environment.Variables).not.toHaveProperty("ANYFORM_ALLOW_ADDRESSES");
  });
});
