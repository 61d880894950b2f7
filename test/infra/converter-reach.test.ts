import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { usualLanes } from "./support/lanes.ts";
import { type Statement as GrantedStatement, statementsIn } from "./support/role-rights.ts";
import { functionIn, nameOf, synthesise } from "./support/synthesise.ts";

/** What a compromised converter can reach, according to the template: its network, endpoints and role. */

interface Statement extends GrantedStatement {
  readonly NotAction?: unknown;
  readonly NotResource?: unknown;
  readonly Principal?: unknown;
}

interface Reference {
  readonly Ref: string;
}

let template: Template;
beforeAll(() => {
  template = synthesise();
});

const resourcesOf = (type: string) => template.findResources(`AWS::${type}`);
const propertiesOf = (type: string) => Object.values(resourcesOf(type)).map(({ Properties }) => Properties);
const converter = (lane: string) => functionIn(template, `convert-file-${lane}`).Properties;
const roleOf = (lane: string): string => converter(lane).Role["Fn::GetAtt"][0];

/** @returns all statements about the role in the template */
const statementsOf = (lane: string): readonly Statement[] => statementsIn(template, (role) => role === roleOf(lane));

/** @returns each action with its resource, as in the template */
const pairsIn = (statements: readonly Statement[]): readonly string[] =>
  statements
    .flatMap(({ Action, Resource, Condition }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource].flat().map((resource) => JSON.stringify({ action, resource, condition: Condition ?? null })),
        ),
    )
    .sort();

const concerning = (statements: readonly Statement[], services: RegExp): readonly Statement[] =>
  statements.filter(({ Action }) => [Action].flat().some((action) => services.test(action)));

describe("the converters' network", () => {
  const subnetsOf = (lane: string): readonly string[] =>
    converter(lane).VpcConfig.SubnetIds.map(({ Ref }: Reference) => Ref);

  test.each(usualLanes)("contains the converter of the lane %s", (lane) => {
    const { SubnetIds, SecurityGroupIds, Ipv6AllowedForDualStack } = converter(lane).VpcConfig;
    expect(SubnetIds).toHaveLength(2);
    expect(SecurityGroupIds).toHaveLength(1);
    expect(Ipv6AllowedForDualStack).toBeUndefined();
    const allSubnets = resourcesOf("EC2::Subnet");
    for (const id of subnetsOf(lane)) {
      expect(allSubnets[id]?.Properties).toMatchObject({ MapPublicIpOnLaunch: false });
      expect(allSubnets[id]?.Properties.Ipv6CidrBlock).toBeUndefined();
    }
  });

  test("has no egress: no route, gateway, peering, tunnel or interface endpoint", () => {
    const ways = ["Route", "InternetGateway", "VPCGatewayAttachment", "NatGateway", "EgressOnlyInternetGateway"];
    const joins = ["VPCPeeringConnection", "TransitGatewayAttachment", "TransitGatewayVpcAttachment", "VPNGateway"];
    const others = ["EIP", "CarrierGateway", "LocalGatewayRoute", "ClientVpnEndpoint", "NetworkInterface", "Instance"];
    for (const type of [...ways, ...joins, ...others]) {
      template.resourceCountIs(`AWS::EC2::${type}`, 0);
    }
    expect(propertiesOf("EC2::VPCEndpoint").map(({ VpcEndpointType }) => VpcEndpointType)).toEqual([
      "Gateway",
      "Gateway",
    ]);
  });

  test("has a route table per subnet, with routes only for the two endpoints", () => {
    const tables = Object.keys(resourcesOf("EC2::RouteTable"));
    const pairs = propertiesOf("EC2::SubnetRouteTableAssociation");
    expect(pairs.map(({ SubnetId }) => SubnetId.Ref).sort()).toEqual([...subnetsOf("fast")].sort());
    expect(pairs.map(({ RouteTableId }) => RouteTableId.Ref).sort()).toEqual([...tables].sort());
    for (const { RouteTableIds } of propertiesOf("EC2::VPCEndpoint")) {
      expect(RouteTableIds.map(({ Ref }: Reference) => Ref).sort()).toEqual([...tables].sort());
    }
  });

  test("has endpoints for this region's S3 and DynamoDB, and for nothing else", () => {
    const names = propertiesOf("EC2::VPCEndpoint").map(({ ServiceName }) => ServiceName["Fn::Join"][1]);
    expect(names).toEqual([
      ["com.amazonaws.", { Ref: "AWS::Region" }, ".dynamodb"],
      ["com.amazonaws.", { Ref: "AWS::Region" }, ".s3"],
    ]);
  });

  test("allows no inbound traffic, and outbound traffic only to port 443 of the endpoints", () => {
    const [first, ...others] = usualLanes.map((lane) => converter(lane).VpcConfig.SecurityGroupIds[0]["Fn::GetAtt"][0]);
    expect(new Set(others)).toEqual(new Set([first]));
    const { SecurityGroupIngress, SecurityGroupEgress } = resourcesOf("EC2::SecurityGroup")[first]?.Properties ?? {};
    expect(SecurityGroupIngress).toBeUndefined();
    expect(SecurityGroupEgress).toHaveLength(1);
    expect(SecurityGroupEgress[0]).toMatchObject({ IpProtocol: "tcp", FromPort: 443, ToPort: 443 });
    template.resourceCountIs("AWS::EC2::SecurityGroupIngress", 0);
    template.resourceCountIs("AWS::EC2::SecurityGroupEgress", 0);
  });

  test("resolves only the names of the bucket and of DynamoDB, because DNS passes no security group or endpoint", () => {
    const [group, ...others] = propertiesOf("Route53Resolver::FirewallRuleGroup");
    expect(others).toEqual([]);
    const domainsOf = (rule: { FirewallDomainListId: { "Fn::GetAtt": [string, string] } }) =>
      resourcesOf("Route53Resolver::FirewallDomainList")[rule.FirewallDomainListId["Fn::GetAtt"][0]]?.Properties
        .Domains;
    const [allow, block] = [...group.FirewallRules].sort((a, b) => a.Priority - b.Priority);
    expect(group.FirewallRules).toHaveLength(2);
    expect(allow).toMatchObject({ Action: "ALLOW", FirewallDomainRedirectionAction: "TRUST_REDIRECTION_DOMAIN" });
    expect(block).toMatchObject({ Action: "BLOCK", BlockResponse: "NXDOMAIN" });
    const inRegion = (name: string) => ({
      "Fn::Join": ["", [name, { Ref: "AWS::Region" }, ".", { Ref: "AWS::URLSuffix" }]],
    });
    const [bucket] = Object.keys(resourcesOf("S3::Bucket")).filter((id) => id.startsWith("Files"));
    expect(domainsOf(allow)).toEqual([
      {
        "Fn::Join": ["", [{ Ref: bucket }, ".s3.", { Ref: "AWS::Region" }, ".", { Ref: "AWS::URLSuffix" }]],
      },
      inRegion("dynamodb."),
      inRegion("*.ddb."),
    ]);
    expect(domainsOf(block)).toEqual(["*"]);
    const [vpc] = Object.keys(resourcesOf("EC2::VPC"));
    const [groupId] = Object.keys(resourcesOf("Route53Resolver::FirewallRuleGroup"));
    expect(propertiesOf("Route53Resolver::FirewallRuleGroupAssociation")).toEqual([
      expect.objectContaining({
        FirewallRuleGroupId: { "Fn::GetAtt": [groupId, "Id"] },
        VpcId: { Ref: vpc },
      }),
    ]);
    // The firewall blocks everything when it fails itself, unless this resource says otherwise.
    expect(propertiesOf("Route53Resolver::FirewallConfig")).toEqual([]);
  });

  test("contains only the converters", () => {
    const inside = Object.values(resourcesOf("Lambda::Function"))
      .filter(({ Properties }) => Properties.VpcConfig !== undefined)
      .map(({ Properties }) => nameOf(Properties));
    expect(inside.sort()).toEqual(usualLanes.map((lane) => `convert-file-${lane}`).sort());
  });
});

describe("a converter's role", () => {
  const tableId = (name: string): string =>
    Object.keys(resourcesOf("DynamoDB::GlobalTable")).find((id) => id.includes(name)) ?? "";
  const bucketId = (): string => Object.keys(resourcesOf("S3::Bucket")).find((id) => id.startsWith("Files")) ?? "";
  const arn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });
  const below = (prefix: string) => ({
    "Fn::Join": ["", ["arn:", { Ref: "AWS::Partition" }, ":s3:::", { Ref: bucketId() }, `/${prefix}/*`]],
  });
  const tableArn = (name: string) => ({
    "Fn::Join": [
      "",
      [
        "arn:",
        { Ref: "AWS::Partition" },
        ":dynamodb:",
        { Ref: "AWS::Region" },
        ":",
        { Ref: "AWS::AccountId" },
        ":table/",
        { Ref: tableId(name) },
      ],
    ],
  });

  test.each(usualLanes)("of the lane %s reads one table's records and uploads, writes results, and no more", (lane) => {
    const [jobs, quotas] = [tableArn("jobs"), tableArn("quotas")];
    const expected = [
      ["dynamodb:GetItem", jobs],
      ["dynamodb:PutItem", jobs],
      ["dynamodb:UpdateItem", jobs],
      ["dynamodb:UpdateItem", quotas],
      ["s3:GetObject", below("uploads")],
      ["s3:DeleteObject", below("results")],
      ["s3:PutObject", below("results")],
    ].map(([action, resource]) => JSON.stringify({ action, resource, condition: null }));
    expect(pairsIn(concerning(statementsOf(lane), /^(dynamodb|s3):/))).toEqual(expected.sort());
  });

  test.each(usualLanes)(
    "of the lane %s grants no access to keys: it does not mention the table of accounts",
    (lane) => {
      expect(tableId("keys")).not.toBe("");
      expect(JSON.stringify(statementsOf(lane))).not.toContain(tableId("keys"));
      expect(JSON.stringify(converter(lane).Environment)).not.toContain(tableId("keys"));
    },
  );

  test.each(usualLanes)("of the lane %s receives from its own queue and writes to its own log", (lane) => {
    const others = concerning(statementsOf(lane), /^(?!dynamodb:|s3:|ec2:)/);
    const queues = concerning(others, /^sqs:/);
    expect(queues.flatMap(({ Action }) => Action).sort()).toEqual([
      "sqs:ChangeMessageVisibility",
      "sqs:DeleteMessage",
      "sqs:GetQueueAttributes",
      "sqs:GetQueueUrl",
      "sqs:ReceiveMessage",
    ]);
    const [queue] = queues.map(({ Resource }) => Resource);
    const mapped = propertiesOf("Lambda::EventSourceMapping").find(
      ({ FunctionName }) => FunctionName.Ref === functionIn(template, `convert-file-${lane}`).id,
    );
    expect(queue).toEqual(mapped?.EventSourceArn);
    const logs = concerning(others, /^logs:/);
    expect(logs.flatMap(({ Action }) => Action)).toEqual(["logs:CreateLogStream", "logs:PutLogEvents"]);
    const { LogGroup } = converter(lane).LoggingConfig;
    expect(logs.map(({ Resource }) => Resource)).toEqual([arn(LogGroup.Ref)]);
    expect(others).toHaveLength(queues.length + logs.length);
  });

  test.each(usualLanes)("of the lane %s has * only for network interfaces, which its own code is denied", (lane) => {
    const anywhere = statementsOf(lane).filter(({ Resource }) => JSON.stringify(Resource) === '"*"');
    const [given, denied] = ["Allow", "Deny"].map((effect) => anywhere.filter(({ Effect }) => Effect === effect));
    expect(given).toHaveLength(1);
    expect(denied?.map(({ Action }) => Action)).toEqual(given?.map(({ Action }) => Action));
    expect([given?.[0]?.Action].flat().every((action) => action?.startsWith("ec2:"))).toBe(true);
    expect(denied?.[0]?.Condition).toEqual({ Null: { "lambda:SourceFunctionArn": "false" } });
    for (const { NotAction, NotResource } of statementsOf(lane)) {
      expect([NotAction, NotResource]).toEqual([undefined, undefined]);
    }
  });

  test.each(usualLanes)("of the lane %s can only be assumed by Lambda, and has no managed policy", (lane) => {
    const { AssumeRolePolicyDocument, ManagedPolicyArns } = resourcesOf("IAM::Role")[roleOf(lane)]?.Properties ?? {};
    expect(ManagedPolicyArns).toBeUndefined();
    expect(AssumeRolePolicyDocument.Statement).toEqual([
      { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" } },
    ]);
  });
});

describe("the endpoints", () => {
  test("allow exactly the roles' actions on this deployment's tables and bucket, for any credentials", () => {
    const statements: Statement[] = propertiesOf("EC2::VPCEndpoint").flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    );
    expect(statements.map(({ Effect }) => Effect)).not.toContain("Deny");
    for (const lane of usualLanes) {
      expect(pairsIn(statements)).toEqual(pairsIn(concerning(statementsOf(lane), /^(dynamodb|s3):/)));
    }
  });

  test("each have a policy: without one, they would allow everything", () => {
    for (const { PolicyDocument } of propertiesOf("EC2::VPCEndpoint")) {
      expect(PolicyDocument.Statement.length).toBeGreaterThan(0);
    }
  });
});

test("no resource policy grants the converters more than their roles", () => {
  for (const lane of usualLanes) {
    const resources: [string, { readonly Type: string }][] = Object.entries(template.toJSON().Resources);
    const named = resources.filter(
      ([, resource]) =>
        /Policy$/.test(resource.Type) &&
        resource.Type !== "AWS::IAM::Policy" &&
        JSON.stringify(resource).includes(roleOf(lane)),
    );
    expect(named).toEqual([]);
  }
});
