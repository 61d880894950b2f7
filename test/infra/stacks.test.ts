import { readFileSync } from "node:fs";
import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../functions/api/routes.ts";
import { type OperationStack, operationsOf } from "../../infra/api/operations.ts";
import { EVERYTHING, stacksWith, type Templates } from "./support/synthesise.ts";

/** The stacks of a deployment: what each contains, how they refer to each other, and that nothing has a fixed name. */

/** A stack may have 500 (AWS CloudFormation User Guide, "Quotas"). */
const RESOURCES_MAX = 500;

/** What an operation needs: a function, a role, an integration, and routes for two methods. */
const RESOURCES_PER_OPERATION = 5;

/** Operations that can be added to each stack before it must be split again. */
const OPERATIONS_TO_ADD = 2;

let stacks: Templates;
let all: Templates;
beforeAll(() => {
  stacks = stacksWith();
  all = stacksWith(EVERYTHING);
});

/** A function's ARN in the longest region, with quotes and comma. Names have at most 64 characters. */
const ARN_CHARACTERS_MAX = "arn:aws:lambda:ap-southeast-2:123456789012:function:".length + 64 + 3;

/** Inline policies of a role together, without white space (IAM User Guide, "IAM and AWS STS quotas"). */
const ROLE_POLICY_CHARACTERS_MAX = 10_240;

interface Statement {
  readonly Action: string;
  readonly Resource: readonly unknown[];
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

const resourcesOf = (template: Template): readonly Resource[] => Object.values(template.toJSON().Resources);

/** @returns all values with this key, at any depth */
const valuesOf = (key: string, value: unknown): readonly unknown[] =>
  value === null || typeof value !== "object"
    ? []
    : Object.entries(value).flatMap(([name, part]) => [...(name === key ? [part] : []), ...valuesOf(key, part)]);

const outputsReadBy = (template: Template) =>
  valuesOf("Fn::GetStackOutput", template.toJSON()) as readonly {
    readonly StackName: string;
    readonly OutputName: string;
  }[];

describe("the stack of the data", () => {
  test("contains exactly the tables, the bucket of files and the secrets of the distribution and of storages", () => {
    expect(
      resourcesOf(stacks.data)
        .map(({ Type }) => Type)
        .sort(),
    ).toEqual([
      "AWS::DynamoDB::GlobalTable",
      "AWS::DynamoDB::GlobalTable",
      "AWS::DynamoDB::GlobalTable",
      "AWS::S3::Bucket",
      "AWS::S3::BucketPolicy",
      "AWS::SecretsManager::Secret",
      "AWS::SecretsManager::Secret",
    ]);
  });

  test("reads nothing from the stack of the service, so that it can always be updated first", () => {
    expect(valuesOf("Fn::GetStackOutput", stacks.data.toJSON())).toEqual([]);
    expect(valuesOf("Fn::ImportValue", stacks.data.toJSON())).toEqual([]);
  });
});

describe("the stack of the service", () => {
  test("has no table and no secret, and its only bucket is filled by each deployment", () => {
    const types = resourcesOf(all.service).map(({ Type }) => Type);
    expect(types.filter((type) => /DynamoDB|SecretsManager/.test(type))).toEqual([]);
    expect(types.filter((type) => type === "AWS::S3::Bucket")).toHaveLength(1);
  });

  test("reads only outputs that the stack of the data has", () => {
    const read = outputsReadBy(all.service).filter(({ StackName }) => StackName !== "anyform-firewall");
    expect(read.length).toBeGreaterThan(50);
    expect(new Set(read.map(({ StackName }) => StackName))).toEqual(new Set(["anyform-data"]));
    const outputs = Object.keys(all.data.toJSON().Outputs);
    expect([...new Set(read.map(({ OutputName }) => OutputName))].sort()).toEqual(outputs.sort());
  });
});

describe("the stack of accounts", () => {
  test("has only functions with their roles and routes, and no name of another stack's resource", () => {
    expect([...new Set(resourcesOf(all.accounts).map(({ Type }) => Type))].sort()).toEqual([
      "AWS::ApiGatewayV2::Integration",
      "AWS::ApiGatewayV2::Route",
      "AWS::IAM::Role",
      "AWS::Lambda::Function",
    ]);
    expect(all.accounts.toJSON().Outputs).toBeUndefined();
  });

  test("reads only outputs that the other stacks have", () => {
    const read = outputsReadBy(all.accounts);
    expect(new Set(read.map(({ StackName }) => StackName))).toEqual(new Set(["anyform-data", "anyform-service"]));
    for (const { StackName, OutputName } of read) {
      const stack = StackName === "anyform-data" ? all.data : all.service;
      expect(Object.keys(stack.toJSON().Outputs)).toContain(OutputName);
    }
  });

  test("has all operations for sign-in and keys, and the service all others", () => {
    const count = (stack: OperationStack) => operationsOf(stack).length;
    expect(count("accounts")).toBeGreaterThan(20);
    expect(count("accounts") + count("service")).toBe(routes.length);
    expect(operationsOf("accounts").map(({ id }) => id)).toEqual(
      routes.filter(({ path }) => /^\/api\/v1\/(?:session|keys)(?:\/|$)/.test(path)).map(({ id }) => id),
    );
  });
});

describe.each<OperationStack>(["service", "accounts"])("the operations of the stack %s", (stack) => {
  test("leave room for further ones with every optional feature", () => {
    expect(resourcesOf(all[stack]).length).toBeLessThanOrEqual(
      RESOURCES_MAX - OPERATIONS_TO_ADD * RESOURCES_PER_OPERATION,
    );
  });

  test("are called with one role, within the size of its policies", () => {
    const [caller, ...others] = resourcesOf(all[stack]).filter(
      ({ Type, Properties }) =>
        Type === "AWS::IAM::Role" && JSON.stringify(Properties).includes("apigateway.amazonaws"),
    );
    expect(others).toEqual([]);
    const [statement] = valuesOf("Statement", caller?.Properties?.Policies).flat() as Statement[];
    expect(statement?.Action).toBe("lambda:InvokeFunction");
    // The service has the fallback too.
    const functions = operationsOf(stack).length + (stack === "service" ? 1 : 0);
    expect(statement?.Resource).toHaveLength(functions);
    expect((statement?.Resource.length ?? 0) * ARN_CHARACTERS_MAX).toBeLessThan(ROLE_POLICY_CHARACTERS_MAX);
    expect(valuesOf("CredentialsArn", all[stack].toJSON())).toHaveLength(functions);
  });
});

describe("between the stacks", () => {
  test("nothing is exported: CloudFormation rejects updates of exports in use", () => {
    for (const template of Object.values(all)) {
      expect(valuesOf("Export", template.toJSON())).toEqual([]);
      expect(valuesOf("Fn::ImportValue", template.toJSON())).toEqual([]);
    }
  });

  test("the flag of CDK makes references that it creates itself weak as well", () => {
    const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
    expect(context["@aws-cdk/core:defaultCrossStackReferences"]).toBe("weak");
  });
});

/** Properties that give a resource a name which another resource cannot have. */
const NAMES = [
  "AlarmName",
  "ApplicationName",
  "BucketName",
  "ClusterName",
  "DashboardName",
  "DeploymentGroupName",
  "FunctionName",
  "LayerName",
  "LogGroupName",
  "ManagedPolicyName",
  "QueueName",
  "RoleName",
  "ServiceName",
  "TableName",
  "TopicName",
];

/** A reference to another resource is not a name. */
const isReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && /^(?:Ref|Fn::GetAtt)$/.test(Object.keys(value).join());

test("no resource has a fixed name, so that each can be replaced and a second deployment never collides", () => {
  const named = Object.values(all)
    .flatMap(resourcesOf)
    .filter(({ Type }) => Type !== "AWS::EC2::VPCEndpoint")
    .flatMap(({ Type, Properties = {} }) =>
      NAMES.filter((name) => name in Properties && !isReference(Properties[name])).map((name) => ({
        Type,
        name,
        value: Properties[name],
      })),
    );
  expect(named).toEqual([{ Type: "AWS::Logs::LogGroup", name: "LogGroupName", value: expect.anything() }]);
  // The only name: log delivery requires its prefix. It contains a part of the stack's ID, which is random.
  expect(JSON.stringify(named[0]?.value)).toContain('"AWS::StackId"');
});

test("every resource that AWS can tag names its deployment, so that its costs can be listed", () => {
  const tagged = Object.values(all)
    .flatMap(resourcesOf)
    .filter(({ Type }) => ["AWS::Lambda::Function", "AWS::S3::Bucket", "AWS::SQS::Queue"].includes(Type));
  expect(tagged.length).toBeGreaterThan(routes.length);
  for (const { Properties } of tagged) {
    expect(Properties?.Tags).toContainEqual({ Key: "anyform:deployment", Value: "anyform" });
  }
});
