import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { allowedTo, pairs, type Statement } from "./support/role-rights.ts";
import { EVERYTHING, functionIn, nameOf, synthesise } from "./support/synthesise.ts";

/** The optional containers for large inputs of the media lane. */

let template: Template;
beforeAll(() => {
  template = synthesise(EVERYTHING);
});

const found = (type: string, has = "") =>
  Object.entries(template.findResources(type)).filter(([id]) => id.includes(has));
const propertiesOf = (type: string, has = "") => found(type, has).map(([, { Properties }]) => Properties);

/** @returns the statements of a role, without those of its log */
const statementsOf = (id: string): readonly Statement[] =>
  (template.toJSON().Resources[id]?.Properties.Policies ?? []).flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
  );

describe("a container", () => {
  const definition = () => propertiesOf("AWS::ECS::TaskDefinition")[0];

  test("has the image of the media function, its memory and four processors, and time to return its job", () => {
    expect(definition()).toMatchObject({
      Cpu: "4096",
      Memory: String(functionIn(template, "convert-file-media").Properties.MemorySize),
      RuntimePlatform: { CpuArchitecture: "ARM64", OperatingSystemFamily: "LINUX" },
    });
    const [container, ...others] = definition().ContainerDefinitions;
    expect(others).toEqual([]);
    expect(container).toMatchObject({ Command: ["node", "layers/image/task.ts"], StopTimeout: 120 });
    expect(container.Image).toEqual(functionIn(template, "convert-file-media").Properties.Code.ImageUri);
  });

  test("has exactly the rights and variables of a converter", () => {
    const [container] = definition().ContainerDefinitions;
    const { Variables } = functionIn(template, "convert-file-media").Properties.Environment;
    const own = container.Environment.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, Value]);
    expect(Object.fromEntries(own)).toEqual(Variables);
    const role = definition().TaskRoleArn["Fn::GetAtt"][0];
    expect(statementsOf(role).flatMap(pairs).sort()).toEqual(allowedTo(template, "convert-file-media"));
  });

  test("is started on Spot for each message of its queue, in the isolated network", () => {
    const [pipe, ...others] = propertiesOf("AWS::Pipes::Pipe");
    expect(others).toEqual([]);
    const [[queue] = [""]] = found("AWS::SQS::Queue", "Films");
    expect(pipe.Source).toEqual({ "Fn::GetAtt": [queue, "Arn"] });
    expect(pipe.SourceParameters).toEqual({ SqsQueueParameters: { BatchSize: 1 } });
    expect(pipe.TargetParameters.EcsTaskParameters).toMatchObject({
      CapacityProviderStrategy: [{ CapacityProvider: "FARGATE_SPOT", Weight: 1 }],
      NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: "DISABLED" } },
      Overrides: {
        ContainerOverrides: [{ Name: "converter", Environment: [{ Name: "ANYFORM_MESSAGE", Value: "$.body" }] }],
      },
    });
    const [subnet, ...more] = pipe.TargetParameters.EcsTaskParameters.NetworkConfiguration.AwsvpcConfiguration.Subnets;
    expect(more).toEqual([]);
    expect(subnet.Ref).toMatch(/^FilmsNetworkVpc/);
  });

  test("may be started by the pipe with its two roles only", () => {
    const [[role] = [""]] = found("AWS::IAM::Role", "FilmsPipeRole");
    const pass = statementsOf(role).find(({ Action }) => Action === "iam:PassRole");
    expect(pass?.Resource).toHaveLength(2);
    expect(pass?.Condition).toEqual({ StringEquals: { "iam:PassedToService": "ecs-tasks.amazonaws.com" } });
  });
});

describe("the network of the containers", () => {
  test("has no way out: no route, gateway or public address", () => {
    for (const type of ["Route", "InternetGateway", "NatGateway", "EgressOnlyInternetGateway", "EIP"]) {
      template.resourceCountIs(`AWS::EC2::${type}`, 0);
    }
    for (const { MapPublicIpOnLaunch } of propertiesOf("AWS::EC2::Subnet", "Films")) {
      expect(MapPublicIpOnLaunch).toBe(false);
    }
  });

  test("has endpoints with policies: files, tables, the image registry of this account, and one log", () => {
    const endpoints = propertiesOf("AWS::EC2::VPCEndpoint", "Films");
    expect(endpoints).toHaveLength(5);
    const statements: Statement[] = endpoints.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(new Set(endpoints.map(({ PolicyDocument }) => PolicyDocument.Statement.length > 0))).toEqual(
      new Set([true]),
    );
    const actions = (pattern: RegExp) => [
      ...new Set(statements.flatMap(({ Action }) => Action).filter((action) => pattern.test(action))),
    ];
    expect(actions(/^(ecr|logs):/).sort()).toEqual([
      "ecr:BatchCheckLayerAvailability",
      "ecr:BatchGetImage",
      "ecr:GetAuthorizationToken",
      "ecr:GetDownloadUrlForLayer",
      "logs:CreateLogStream",
      "logs:PutLogEvents",
    ]);
    const log = functionIn(template, "convert-file-media").Properties.LoggingConfig.LogGroup.Ref;
    const writes = statements.filter(({ Action }) => [Action].flat().includes("logs:PutLogEvents"));
    expect(writes.map(({ Resource }) => Resource)).toEqual([{ "Fn::GetAtt": [log, "Arn"] }]);
    const anywhere = statements.filter(({ Resource }) => Resource === "*").flatMap(({ Action }) => Action);
    expect(new Set(anywhere)).toEqual(new Set(["ecr:GetAuthorizationToken"]));
  });

  test("resolves only the names of these endpoints", () => {
    const lists = propertiesOf("AWS::Route53Resolver::FirewallDomainList", "FilmsNetworkNamesAllowed");
    expect(lists).toHaveLength(1);
    expect(lists[0]?.Domains).toHaveLength(7);
    template.resourceCountIs("AWS::Route53Resolver::FirewallRuleGroupAssociation", 2);
  });
});

test("functions that send jobs know the queue of films and the smallest film", () => {
  const knowing = propertiesOf("AWS::Lambda::Function").filter(
    ({ Environment }) => "ANYFORM_QUEUE_URL_FILMS" in Environment.Variables,
  );
  expect(knowing.map(nameOf).sort()).toEqual([
    "announce-end",
    "create-batch",
    "create-job",
    "create-pipeline",
    "fail-job",
    "sweep-jobs",
  ]);
  for (const { Environment } of knowing) {
    expect(Environment.Variables.ANYFORM_FILM_BYTES_MIN).toBe("500000000");
  }
});

test("there are no containers by default", () => {
  const usual = synthesise();
  for (const type of ["AWS::ECS::Cluster", "AWS::ECS::TaskDefinition", "AWS::Pipes::Pipe"]) {
    usual.resourceCountIs(type, 0);
  }
});
