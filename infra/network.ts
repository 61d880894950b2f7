import { RemovalPolicy } from "aws-cdk-lib";
import {
  FlowLogDestination,
  FlowLogTrafficType,
  GatewayVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import { AnyPrincipal, type PolicyStatement } from "aws-cdk-lib/aws-iam";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";

export interface NetworkProps {
  readonly stackName: string;
  /** What may be asked of DynamoDB from inside. */
  readonly tableStatements: readonly PolicyStatement[];
  /** What may be asked of S3 from inside. */
  readonly fileStatements: readonly PolicyStatement[];
}

/**
 * Where converters run: a network with no way out. It has no internet gateway and no NAT, only the two gateway endpoints
 * (which cost nothing), and those let through what the converters' own roles may do on this deployment's bucket and
 * tables: a hostile file that takes over a converter cannot send anything home, not even with credentials it brought.
 */
export class Network extends Construct {
  readonly vpc: IVpc;
  readonly securityGroup: SecurityGroup;

  constructor(scope: Construct, id: string, props: NetworkProps) {
    super(scope, id);
    const vpc = new Vpc(this, "Vpc", {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [{ name: "converter", subnetType: SubnetType.PRIVATE_ISOLATED }],
      // Nothing uses the default group, and to empty it CDK would bring a function of its own with wide rights.
      restrictDefaultSecurityGroup: false,
    });
    // CDK's own types differ in whether vpnGatewayId is there or undefined, which exactOptionalPropertyTypes tells apart.
    this.vpc = vpc as IVpc;
    this.endpoint("Tables", GatewayVpcEndpointAwsService.DYNAMODB, props.tableStatements);
    this.endpoint("Files", GatewayVpcEndpointAwsService.S3, props.fileStatements);
    this.securityGroup = this.onlyTls();
    this.logRejected(props.stackName);
  }

  private endpoint(id: string, service: GatewayVpcEndpointAwsService, statements: readonly PolicyStatement[]): void {
    const endpoint = this.vpc.addGatewayEndpoint(id, { service });
    for (const statement of statements) {
      endpoint.addToPolicy(statement.copy({ principals: [new AnyPrincipal()] }));
    }
  }

  /** The endpoints' addresses are public ones that differ by region, so the group names the port, the routes the rest. */
  private onlyTls(): SecurityGroup {
    const group = new SecurityGroup(this, "SecurityGroup", {
      vpc: this.vpc,
      description: "Converters: TLS to the gateway endpoints, nothing in",
      allowAllOutbound: false,
    });
    group.addEgressRule(Peer.anyIpv4(), Port.tcp(443), "S3 and DynamoDB through the gateway endpoints");
    return group;
  }

  /** What a converter tried and was not let do: a healthy one leaves this log empty. */
  private logRejected(stackName: string): void {
    const logGroup = new LogGroup(this, "RejectedLog", {
      logGroupName: `/aws/vpc/${stackName}-rejected`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.vpc.addFlowLog("Rejected", {
      destination: FlowLogDestination.toCloudWatchLogs(logGroup),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }
}
