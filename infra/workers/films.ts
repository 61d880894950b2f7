import { Duration } from "aws-cdk-lib";
import {
  AwsLogDriver,
  Cluster,
  CpuArchitecture,
  FargateTaskDefinition,
  OperatingSystemFamily,
} from "aws-cdk-lib/aws-ecs";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { CfnPipe } from "aws-cdk-lib/aws-pipes";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { lanes, leaseSeconds } from "../../functions/domain/conversions/lanes.ts";
import type { Deployment } from "../functions.ts";
import { environmentOf, fileStatements, statementsOf, tableStatements } from "../grants.ts";
import { Network } from "../network/network.ts";
import { permissions } from "../permissions.ts";
import { deployedLanes, type ImagePlatform } from "../settings/settings.ts";
import { queueIn } from "./queues.ts";

export interface FilmsProps {
  readonly deployment: Deployment;
  /** The dead-letter queue of all lanes. */
  readonly deadLetters: Queue;
}

/** Processors in units of ECS, the nearest size to the 4.6 of Lambda's function with the same memory. */
const CPU_UNITS = 4_096;

/** Seconds between the signal and the end of a container: the maximum, and what Spot gives. */
const STOP_SECONDS = 120;

const CONTAINER = "converter";

/**
 * The media lane on Fargate Spot instead of Lambda, at an eighth of the price of a second. A pipe starts a container for each
 * message of the queue, so nothing runs without work, and nothing has to be scaled. The containers have the image, the
 * handler and the rights of Lambda's converters, and a separate isolated network, which can also reach the image
 * registry and the logs.
 */
export class Films extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly task: FargateTaskDefinition;
  readonly cluster: Cluster;

  constructor(scope: Construct, id: string, { deployment, deadLetters }: FilmsProps) {
    super(scope, id);
    const { reach } = deployment;
    this.deadLetters = deadLetters;
    this.queue = queueIn(this, deadLetters, leaseSeconds("media"));
    const network = new Network(this, "Network", {
      fileHost: reach.bucket.bucketRegionalDomainName,
      tableStatements: tableStatements(permissions.convertFile, reach),
      fileStatements: fileStatements(permissions.convertFile, reach),
      containerLog: deployment.logs.converters,
    });
    this.cluster = new Cluster(this, "Cluster", { vpc: network.vpc, enableFargateCapacityProviders: true });
    this.task = this.definition(deployment);
    this.pipe(network);
  }

  private definition({ settings, assets, logs, reach }: Deployment): FargateTaskDefinition {
    const platform: ImagePlatform = settings.images === "amd64" ? "amd64" : "arm64";
    const ofTasks = new ServicePrincipal("ecs-tasks.amazonaws.com");
    const task = new FargateTaskDefinition(this, "Task", {
      cpu: CPU_UNITS,
      memoryLimitMiB: lanes.media.memoryMegabytes,
      runtimePlatform: {
        cpuArchitecture: platform === "arm64" ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
      taskRole: new Role(this, "Role", {
        assumedBy: ofTasks,
        description: "Permissions of the containers for media",
        inlinePolicies: {
          Rights: new PolicyDocument({ statements: [...statementsOf(permissions.convertFile, reach)] }),
        },
      }),
    });
    task.addContainer(CONTAINER, {
      image: assets.taskImage(platform),
      command: ["node", "layers/image/task.ts"],
      environment: {
        ANYFORM_LANES: deployedLanes(settings).join(","),
        ANYFORM_METRICS_NAMESPACE: settings.stackName,
        ...environmentOf(permissions.convertFile, reach),
      },
      stopTimeout: Duration.seconds(STOP_SECONDS),
      logging: new AwsLogDriver({ logGroup: logs.converters, streamPrefix: "media" }),
    });
    return task;
  }

  /** Deletes a message once its container has started, and returns it to the queue when none can be started. */
  private pipe({ vpc, securityGroup }: Network): void {
    const { task, queue, cluster } = this;
    const role = new Role(this, "PipeRole", {
      assumedBy: new ServicePrincipal("pipes.amazonaws.com"),
      description: "Starts a container for each message",
      inlinePolicies: {
        Rights: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
              resources: [queue.queueArn],
            }),
            new PolicyStatement({ actions: ["ecs:RunTask"], resources: [task.taskDefinitionArn] }),
            new PolicyStatement({
              actions: ["iam:PassRole"],
              resources: [task.taskRole.roleArn, task.obtainExecutionRole().roleArn],
              conditions: { StringEquals: { "iam:PassedToService": "ecs-tasks.amazonaws.com" } },
            }),
          ],
        }),
      },
    });
    new CfnPipe(this, "Pipe", {
      description: "Starts a container for each message of the media lane",
      roleArn: role.roleArn,
      source: queue.queueArn,
      sourceParameters: { sqsQueueParameters: { batchSize: 1 } },
      target: cluster.clusterArn,
      targetParameters: {
        ecsTaskParameters: {
          taskDefinitionArn: task.taskDefinitionArn,
          taskCount: 1,
          capacityProviderStrategy: [{ capacityProvider: "FARGATE_SPOT", weight: 1 }],
          networkConfiguration: {
            awsvpcConfiguration: {
              assignPublicIp: "DISABLED",
              subnets: vpc.isolatedSubnets.map(({ subnetId }) => subnetId),
              securityGroups: [securityGroup.securityGroupId],
            },
          },
          overrides: {
            containerOverrides: [{ name: CONTAINER, environment: [{ name: "ANYFORM_MESSAGE", value: "$.body" }] }],
          },
        },
      },
    });
  }
}
