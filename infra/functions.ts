import { Duration, Size, Tags } from "aws-cdk-lib";
import { SubnetType } from "aws-cdk-lib/aws-ec2";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type CfnFunction,
  Handler,
  Function as LambdaFunction,
  type LayerVersion,
  LoggingFormat,
  Runtime,
  TenancyConfig,
} from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Permissions } from "../functions/api/permissions.ts";
import type { Assets } from "./assets.ts";
import { environmentOf, type Reach, statementsOf } from "./grants.ts";
import type { LogName, Logs } from "./logs.ts";
import type { Network } from "./network/network.ts";
import { deployedLanes, type ImagePlatform, type Settings } from "./settings/settings.ts";
import { tags } from "./tags.ts";

/** Settings that all functions of a deployment share. */
export interface Deployment {
  readonly settings: Settings;
  readonly assets: Assets;
  readonly reach: Reach;
  readonly logs: Logs;
}

export interface ServiceFunctionProps {
  readonly deployment: Deployment;
  /** Name of the bundle, or of the file in a container image. Also the function's tag. */
  readonly bundle: string;
  /** Suffix of the function's tag if several functions run the same bundle. @default none */
  readonly variant?: string;
  readonly description: string;
  /** The shared log, or its own. */
  readonly log: LogName | LogGroup;
  readonly permissions: Permissions;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  /** Functions that are reserved for it, and its maximum. @default shares the unreserved functions of the account */
  readonly reserved?: number | undefined;
  /** Variables in addition to those of the permissions. @default none */
  readonly environment?: Readonly<Record<string, string>>;
  /** Megabytes of `/tmp`. @default 512, which costs nothing */
  readonly scratchMegabytes?: number;
  /** Runs the container image, built for this processor, instead of the bundle. @default the bundle, on arm64 */
  readonly image?: ImagePlatform | undefined;
  /** @default none */
  readonly layers?: readonly LayerVersion[];
  /** Whether each tenant has its own virtual machines, which also means that calls must name one. @default false */
  readonly isolatesTenants?: boolean;
  /** The isolated network that it runs in. @default the default network of Lambda, with internet access */
  readonly network?: Network;
}

/** Permissions for the network interfaces that Lambda creates with the function's role in a VPC. */
const NETWORK_ACTIONS = [
  "ec2:AssignPrivateIpAddresses",
  "ec2:CreateNetworkInterface",
  "ec2:DeleteNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:UnassignPrivateIpAddresses",
];

/** X-Ray has no resources (AWS Service Authorization Reference, "AWS X-Ray"). */
const TRACING = new PolicyStatement({
  actions: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"],
  resources: ["*"],
});

/** A Lambda function with its role. All functions are created here, so that they are consistent. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { settings, reach, logs } = props.deployment;
    const logGroup = typeof props.log === "string" ? logs[props.log] : props.log;
    const name = [props.bundle, props.variant].filter((part) => part !== undefined).join("-");
    // Functions that strangers may take over have no rights to write traces.
    const isTraced = settings.tracing && props.network === undefined && props.isolatesTenants !== true;
    const role = this.role(name, logGroup, [
      ...statementsOf(props.permissions, reach),
      ...networkStatements(props),
      ...(isTraced ? [TRACING] : []),
    ]);
    this.lambda = new LambdaFunction(this, "Function", {
      description: props.description,
      ...codeOf(props),
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      ...(props.reserved !== undefined && { reservedConcurrentExecutions: props.reserved }),
      ephemeralStorageSize: Size.mebibytes(props.scratchMegabytes ?? 512),
      environment: {
        ANYFORM_LANES: deployedLanes(settings).join(","),
        ANYFORM_METRICS_NAMESPACE: settings.stackName,
        ...environmentOf(props.permissions, reach),
        ...(props.permissions.outbound &&
          settings.allowAddresses && { ANYFORM_ALLOW_ADDRESSES: settings.allowAddresses }),
        ...(props.permissions.sends &&
          settings.filmMegabytes && { ANYFORM_FILM_BYTES_MIN: String(1_000_000 * settings.filmMegabytes) }),
        ...props.environment,
      },
      ...(props.isolatesTenants && { tenancyConfig: TenancyConfig.PER_TENANT }),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      ...(props.layers && { layers: [...props.layers] }),
      ...(props.network && {
        vpc: props.network.vpc,
        vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
        securityGroups: [props.network.securityGroup],
      }),
    });
    if (isTraced) {
      // CDK's own setting would add a separate policy to each role.
      (this.lambda.node.defaultChild as CfnFunction).tracingConfig = { mode: "Active" };
    }
    Tags.of(this.lambda).add(tags.function, name);
  }

  private role(name: string, logGroup: LogGroup, statements: readonly PolicyStatement[]): Role {
    const log = new PolicyStatement({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [logGroup.logGroupArn],
    });
    return new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `Permissions of the function ${name}`,
      // Inline policies: separate ones would take 50 of the 500 resources of a stack.
      inlinePolicies: { Rights: new PolicyDocument({ statements: [log, ...statements] }) },
    });
  }
}

/**
 * CDK does not grant custom roles any rights to network interfaces. Lambda needs them on every resource; the code of
 * the function does not need them, and is denied them: only its requests have a source function (AWS Lambda Developer
 * Guide, "Giving Lambda functions access to resources in an Amazon VPC").
 */
const networkStatements = ({ network }: ServiceFunctionProps): readonly PolicyStatement[] =>
  network === undefined
    ? []
    : [
        new PolicyStatement({ actions: NETWORK_ACTIONS, resources: ["*"] }),
        new PolicyStatement({
          effect: Effect.DENY,
          actions: NETWORK_ACTIONS,
          resources: ["*"],
          conditions: { Null: { "lambda:SourceFunctionArn": "false" } },
        }),
      ];

const codeOf = ({ deployment, bundle, image }: ServiceFunctionProps) =>
  image === undefined
    ? {
        runtime: Runtime.NODEJS_24_X,
        architecture: Architecture.ARM_64,
        code: deployment.assets.functionCode(bundle),
        handler: "index.handler",
      }
    : {
        runtime: Runtime.FROM_IMAGE,
        architecture: image === "arm64" ? Architecture.ARM_64 : Architecture.X86_64,
        code: deployment.assets.imageCode(image),
        handler: Handler.FROM_IMAGE,
      };
