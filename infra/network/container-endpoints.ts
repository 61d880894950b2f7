import { Stack } from "aws-cdk-lib";
import { InterfaceVpcEndpointAwsService, type IVpc, Port, SecurityGroup } from "aws-cdk-lib/aws-ec2";
import { AnyPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

/** What a network must also allow, so that containers can start in it. */
export interface ContainerNeeds {
  /** Host names of the registry and the logs. */
  readonly hosts: readonly string[];
  readonly fileStatements: readonly PolicyStatement[];
}

/** Rights that the registry needs for a pull, in addition to a token. */
const PULL_ACTIONS = ["ecr:BatchCheckLayerAvailability", "ecr:BatchGetImage", "ecr:GetDownloadUrlForLayer"];

/**
 * Adds the interface endpoints that containers of Fargate need without internet access: the image registry and the logs
 * (Amazon ECR User Guide, "Amazon ECR interface VPC endpoints"). The registry keeps layers in a bucket of AWS. Each endpoint
 * only allows what starting a container needs, on resources of this account, with any credentials.
 */
export const containerNeeds = (
  scope: Construct,
  { vpc, containers, log }: { readonly vpc: IVpc; readonly containers: SecurityGroup; readonly log: LogGroup },
): ContainerNeeds => {
  const { region, urlSuffix, partition, account } = Stack.of(scope);
  const repositories = `arn:${partition}:ecr:${region}:${account}:repository/*`;
  const pull = [
    new PolicyStatement({ actions: ["ecr:GetAuthorizationToken"], resources: ["*"] }),
    new PolicyStatement({ actions: PULL_ACTIONS, resources: [repositories] }),
  ];
  const write = new PolicyStatement({
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    resources: [log.logGroupArn],
  });
  const endpoints = [
    { id: "RegistryApi", service: InterfaceVpcEndpointAwsService.ECR, statements: pull },
    { id: "Registry", service: InterfaceVpcEndpointAwsService.ECR_DOCKER, statements: pull },
    { id: "Logs", service: InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS, statements: [write] },
  ];
  const securityGroup = new SecurityGroup(scope, "Endpoints", {
    vpc,
    description: "Endpoints: TLS from containers, no outbound traffic",
    allowAllOutbound: false,
  });
  securityGroup.addIngressRule(containers, Port.tcp(443), "TLS from containers");
  for (const { id, service, statements } of endpoints) {
    const endpoint = vpc.addInterfaceEndpoint(id, { service, securityGroups: [securityGroup], open: false });
    for (const statement of statements) {
      endpoint.addToPolicy(statement.copy({ principals: [new AnyPrincipal()] }));
    }
  }
  const layers = `prod-${region}-starport-layer-bucket`;
  return {
    hosts: [
      `api.ecr.${region}.${urlSuffix}`,
      `*.dkr.ecr.${region}.${urlSuffix}`,
      `logs.${region}.${urlSuffix}`,
      `${layers}.s3.${region}.${urlSuffix}`,
    ],
    fileStatements: [
      new PolicyStatement({ actions: ["s3:GetObject"], resources: [`arn:${partition}:s3:::${layers}/*`] }),
    ],
  };
};
