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
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { logIn } from "../logs.ts";
import { containerNeeds } from "./container-endpoints.ts";
import { NameFirewall } from "./name-firewall.ts";

export interface NetworkProps {
  /** Allowed DynamoDB actions from inside. */
  readonly tableStatements: readonly PolicyStatement[];
  /** Host name of the bucket. */
  readonly fileHost: string;
  /** Allowed S3 actions from inside. */
  readonly fileStatements: readonly PolicyStatement[];
  /**
   * The log of containers that start here. They load their image and write their log through the network: three interface
   * endpoints, for 22 USD per month in one zone. @default functions, for which Lambda does both
   */
  readonly containerLog?: LogGroup;
}

/**
 * The isolated network of the converters. It has no internet gateway and no NAT, only the two gateway endpoints (which
 * are free), and resolves only their names. The endpoints allow only what the converters' roles may do on this
 * deployment's bucket and tables: a malicious file that takes over a converter cannot exfiltrate data, even with its own
 * credentials.
 */
export class Network extends Construct {
  readonly vpc: IVpc;
  readonly securityGroup: SecurityGroup;
  /** Rejected connections of converters. This log is empty for healthy converters. */
  readonly rejectedLog: LogGroup;

  constructor(scope: Construct, id: string, props: NetworkProps) {
    super(scope, id);
    const vpc = new Vpc(this, "Vpc", {
      // An interface endpoint is billed for each zone.
      maxAzs: props.containerLog ? 1 : 2,
      natGateways: 0,
      subnetConfiguration: [{ name: "converter", subnetType: SubnetType.PRIVATE_ISOLATED }],
      // The default group is not used. To empty it, CDK would add a function with broad permissions.
      restrictDefaultSecurityGroup: false,
    });
    // CDK's types disagree on whether vpnGatewayId is optional or undefined, which exactOptionalPropertyTypes distinguishes.
    this.vpc = vpc as IVpc;
    this.endpoint("Tables", GatewayVpcEndpointAwsService.DYNAMODB, props.tableStatements);
    this.securityGroup = this.onlyTls();
    const containers =
      props.containerLog &&
      containerNeeds(this, { vpc: this.vpc, containers: this.securityGroup, log: props.containerLog });
    this.endpoint("Files", GatewayVpcEndpointAwsService.S3, [
      ...props.fileStatements,
      ...(containers?.fileStatements ?? []),
    ]);
    new NameFirewall(this, "Names", { vpc: this.vpc, hosts: [props.fileHost, ...(containers?.hosts ?? [])] });
    this.rejectedLog = logIn(this, "RejectedLog");
    this.logRejected();
  }

  private endpoint(id: string, service: GatewayVpcEndpointAwsService, statements: readonly PolicyStatement[]): void {
    const endpoint = this.vpc.addGatewayEndpoint(id, { service });
    for (const statement of statements) {
      endpoint.addToPolicy(statement.copy({ principals: [new AnyPrincipal()] }));
    }
  }

  /** The endpoints have public addresses that differ by region, so the group restricts the port, and the routes the rest. */
  private onlyTls(): SecurityGroup {
    const group = new SecurityGroup(this, "SecurityGroup", {
      vpc: this.vpc,
      description: "Converters: TLS to the gateway endpoints, no inbound traffic",
      allowAllOutbound: false,
    });
    group.addEgressRule(Peer.anyIpv4(), Port.tcp(443), "S3 and DynamoDB through the gateway endpoints");
    return group;
  }

  private logRejected(): void {
    this.vpc.addFlowLog("Rejected", {
      destination: FlowLogDestination.toCloudWatchLogs(this.rejectedLog),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }
}
