import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { type LaneId, laneIds, lanes, leaseSeconds } from "../../functions/domain/lanes.ts";
import { JOB_ATTEMPTS_MAX } from "../../functions/domain/limits.ts";
import { synthesise } from "./synthesise.ts";

interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** What Lambda gives at most (AWS Lambda Developer Guide, "Lambda quotas"). */
const FUNCTION_SECONDS_MAX = 900;
const SCRATCH_BYTES_MAX = 10_240 * 1_048_576;

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const resources = () => template.toJSON().Resources;
const functionNamed = (name: string) =>
  Object.values(template.findResources("AWS::Lambda::Function", { Properties: { FunctionName: `anyform-${name}` } }))[0]
    ?.Properties;

/** @returns what a function's role may do, as `action on resource`, with the log and the queue that it drains left out */
const allowed = (name: string): readonly string[] => {
  const role = functionNamed(name).Role["Fn::GetAtt"][0];
  const statements: Statement[] = Object.values(template.findResources("AWS::IAM::Policy"))
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  return statements
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(pairs)
    .filter((text) => !/^(logs|ec2):|^sqs:(?!Send)/.test(text))
    .sort();
};

const pairs = ({ Action, Resource }: Statement): readonly string[] =>
  [Action].flat().flatMap((action) => [Resource].flat().map((resource) => `${action} on ${named(resource)}`));

/** Every resource of ours is `{Fn::GetAtt: [id, Arn]}`, alone or joined with the rest of the ARN. */
const named = (resource: unknown): string => {
  const text = JSON.stringify(resource);
  const [, id = text] = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(text) ?? [];
  const [, path = ""] = /,"(\/[^"]*)"\]\]\}$/.exec(text) ?? [];
  return `${id.replace(/^(Tables|Lane)?(.*?)[0-9A-F]{8}$/, "$2")}${path}`;
};

describe("roles", () => {
  test.each([
    ["list-formats", []],
    ["get-openapi", []],
    ["get-health", []],
    ["fallback", []],
    ["get-job", ["dynamodb:GetItem on jobs", "dynamodb:GetItem on keys"]],
    [
      "create-upload",
      [
        "dynamodb:GetItem on keys",
        "dynamodb:GetItem on quotas",
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on quotas",
        "s3:DeleteObject on FilesBucket/uploads/*",
        "s3:PutObject on FilesBucket/uploads/*",
      ],
    ],
    [
      "create-job",
      [
        "dynamodb:GetItem on jobs",
        "dynamodb:GetItem on keys",
        "dynamodb:GetItem on quotas",
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on quotas",
        ...laneIds.map((lane) => `sqs:SendMessage on ${lane}Queue`).sort(),
      ],
    ],
    [
      "download-result",
      [
        "dynamodb:GetItem on jobs",
        "dynamodb:GetItem on keys",
        "dynamodb:GetItem on quotas",
        "dynamodb:UpdateItem on quotas",
        "s3:GetObject on FilesBucket/results/*",
      ],
    ],
    ...laneIds.map((lane): [string, string[]] => [
      `convert-file-${lane}`,
      [
        "dynamodb:GetItem on jobs",
        "dynamodb:PutItem on jobs",
        "dynamodb:UpdateItem on jobs",
        "dynamodb:UpdateItem on quotas",
        "s3:DeleteObject on FilesBucket/results/*",
        "s3:GetObject on FilesBucket/uploads/*",
        "s3:PutObject on FilesBucket/results/*",
      ],
    ]),
    [
      "sweep-jobs",
      [
        "dynamodb:GetItem on jobs",
        "dynamodb:Query on jobs/index/overdue",
        "dynamodb:UpdateItem on jobs",
        "dynamodb:UpdateItem on quotas",
        ...laneIds.map((lane) => `sqs:SendMessage on ${lane}Queue`).sort(),
      ],
    ],
    ["fail-job", ["dynamodb:GetItem on jobs", "dynamodb:UpdateItem on jobs", "dynamodb:UpdateItem on quotas"]],
  ])("%s may do just this", (name, expected) => {
    expect(allowed(name)).toEqual(expected);
  });

  test("belong to one function each", () => {
    const roles = Object.values(template.findResources("AWS::Lambda::Function")).map(
      ({ Properties }) => Properties.Role["Fn::GetAtt"][0],
    );
    expect(new Set(roles).size).toBe(roles.length);
  });

  test("hold no managed policy, no wildcard in an action, and name what they act on, but for network interfaces", () => {
    for (const { Properties } of Object.values(template.findResources("AWS::IAM::Role"))) {
      expect(Properties.ManagedPolicyArns).toBeUndefined();
    }
    const statements: Statement[] = Object.values(template.findResources("AWS::IAM::Policy")).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const actionsOf = ({ Action }: Statement) => [Action].flat();
    expect(statements.flatMap(actionsOf).filter((action) => action.includes("*"))).toEqual([]);
    const anywhere = statements.filter(({ Effect, Resource }) => Effect === "Allow" && Resource === "*");
    expect(
      anywhere.flatMap(actionsOf).filter((action) => !/^ec2:\w+(NetworkInterfaces?|Subnets|IpAddresses)$/.test(action)),
    ).toEqual([]);
  });
});

describe("the converter", () => {
  test("runs where there is no way out: isolated subnets of two zones, no gateway, only TLS to the endpoints", () => {
    const { SubnetIds, SecurityGroupIds } = functionNamed("convert-file-fast").VpcConfig;
    expect(SubnetIds).toHaveLength(2);
    for (const { Ref } of SubnetIds) {
      expect(resources()[Ref].Properties.MapPublicIpOnLaunch).toBe(false);
    }
    for (const type of ["InternetGateway", "NatGateway", "Route", "EgressOnlyInternetGateway"]) {
      template.resourceCountIs(`AWS::EC2::${type}`, 0);
    }
    const group = resources()[SecurityGroupIds[0]["Fn::GetAtt"][0]].Properties;
    expect(group.SecurityGroupIngress).toBeUndefined();
    expect(group.SecurityGroupEgress).toMatchObject([{ IpProtocol: "tcp", FromPort: 443, ToPort: 443 }]);
  });

  test("reaches through the endpoints what its role may, whosever credentials are used, and nothing else", () => {
    const endpoints = Object.values(template.findResources("AWS::EC2::VPCEndpoint"));
    expect(endpoints.map(({ Properties }) => Properties.VpcEndpointType)).toEqual(["Gateway", "Gateway"]);
    const statements: Statement[] = endpoints.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements.flatMap(pairs).sort()).toEqual(allowed("convert-file-fast"));
  });

  test("cannot use the rights to network interfaces that Lambda needs in its name", () => {
    const statements: Statement[] = Object.values(template.findResources("AWS::IAM::Policy")).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const onInterfaces = statements.filter(({ Action }) => String(Action).startsWith("ec2:"));
    const [denied, given] = ["Deny", "Allow"].map((effect) => onInterfaces.filter(({ Effect }) => Effect === effect));
    expect(given?.map(({ Action }) => Action)).toEqual(denied?.map(({ Action }) => Action));
    expect(denied).toHaveLength(laneIds.length);
    for (const [index, lane] of laneIds.entries()) {
      const own = new RegExp(`lambda:SourceFunctionArn.*:function:anyform-convert-file-${lane}"`);
      expect(JSON.stringify(denied?.[index])).toMatch(own);
    }
  });

  test.each(["fast", "data"] as const)("of the lane %s is a zip with its layers, and the fonts of one", (lane) => {
    const { Layers, PackageType, Environment } = functionNamed(`convert-file-${lane}`);
    expect(PackageType).toBeUndefined();
    expect(Layers).toHaveLength(lanes[lane].layers.length);
    expect(Environment.Variables.FONTCONFIG_FILE).toBe("/opt/fonts.conf");
  });

  test.each(["documents", "media"] as const)(
    "of the lane %s is the container image, with its own fonts and no layer",
    (lane) => {
      const { Layers, PackageType, Code, Environment } = functionNamed(`convert-file-${lane}`);
      expect({ Layers, PackageType, Fonts: Environment.Variables.FONTCONFIG_FILE }).toEqual({ PackageType: "Image" });
      expect(Code).toEqual(functionNamed("convert-file-documents").Code);
      expect(Code.ImageUri["Fn::Sub"]).toContain(".dkr.ecr.");
    },
  );

  test.each(laneIds)(
    "of the lane %s has room on disk for the input and three times as much, or all that Lambda has",
    (lane) => {
      const { EphemeralStorage, MemorySize } = functionNamed(`convert-file-${lane}`);
      const bytes = Math.min(4 * lanes[lane].inputBytesMax, SCRATCH_BYTES_MAX);
      expect(EphemeralStorage.Size * 1_048_576).toBeGreaterThanOrEqual(bytes);
      expect(EphemeralStorage.Size * 1_048_576).toBeLessThanOrEqual(SCRATCH_BYTES_MAX);
      expect(MemorySize).toBe(lanes[lane].memoryMegabytes);
    },
  );
});

describe("a lane", () => {
  const queueOf = (name: string) => {
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
  const deadLettersOf = (arn: { "Fn::GetAtt": [string, string] }) => {
    const [mapping] = Object.values(
      template.findResources("AWS::Lambda::EventSourceMapping", { Properties: { EventSourceArn: arn } }),
    );
    return { mapping: mapping?.Properties, queue: resources()[arn["Fn::GetAtt"][0]].Properties };
  };
  const functionId = (name: string) =>
    Object.keys(
      template.findResources("AWS::Lambda::Function", { Properties: { FunctionName: `anyform-${name}` } }),
    )[0];

  const atOnce: Readonly<Record<LaneId, number>> = { fast: 100, data: 80, documents: 50, media: 20 };

  test.each(laneIds)(
    "%s gives its function one message at a time, some functions at once, and takes failures",
    (lane) => {
      expect(queueOf(`convert-file-${lane}`).mapping).toMatchObject({
        BatchSize: 1,
        ScalingConfig: { MaximumConcurrency: atOnce[lane] },
        FunctionResponseTypes: ["ReportBatchItemFailures"],
      });
    },
  );

  test.each(laneIds)("%s hides a message for longer than the function may run: as long as a job's lease", (lane) => {
    const { Timeout } = functionNamed(`convert-file-${lane}`);
    expect(Timeout).toBe(leaseSeconds(lane));
    expect(Timeout).toBeLessThanOrEqual(FUNCTION_SECONDS_MAX);
    expect(queueOf(`convert-file-${lane}`).queue.VisibilityTimeout).toBe(Timeout + 30);
  });

  test.each(laneIds)(
    "%s gives a message up after one delivery more than a job has attempts, for a function to fail",
    (lane) => {
      const { RedrivePolicy } = queueOf(`convert-file-${lane}`).queue;
      expect(RedrivePolicy.maxReceiveCount).toBe(JOB_ATTEMPTS_MAX + 1);
      const { mapping, queue } = deadLettersOf(RedrivePolicy.deadLetterTargetArn);
      expect(mapping?.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
      expect(mapping?.FunctionName).toEqual({ Ref: functionId("fail-job") });
      expect(queue.VisibilityTimeout).toBeGreaterThan(functionNamed("fail-job").Timeout);
      expect(queue.MessageRetentionPeriod).toBe(14 * 86_400);
    },
  );

  test("is looked after every five minutes", () => {
    template.hasResourceProperties("AWS::Events::Rule", {
      ScheduleExpression: "rate(5 minutes)",
      State: "ENABLED",
    });
  });
});
