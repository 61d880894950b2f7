import { CfnOutput, RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { type ApiRoute, type OperationId, routes } from "../functions/api/routes.ts";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { permissions } from "./permissions.ts";

export interface ApiProps {
  readonly deployment: Deployment;
}

/**
 * Requests a second that the whole API takes, and how many at once on top: most answers take about 0.1 s, so 100 a
 * second keep some 10 functions busy, and 25 s of waiting on a tenth of them some 250 more, of an account's 1,000.
 */
const REQUESTS_PER_SECOND = 100;
const REQUESTS_BURST = 200;

/** Neither path nor query: the path of a download holds its token. */
const ACCESS_LOG = {
  requestId: "$context.requestId",
  time: "$context.requestTime",
  route: "$context.routeKey",
  status: "$context.status",
  sourceIp: "$context.identity.sourceIp",
  userAgent: "$context.identity.userAgent",
  requestBytes: "$context.requestLength",
  responseBytes: "$context.responseLength",
  milliseconds: "$context.responseLatency",
  functionMilliseconds: "$context.integrationLatency",
  functionError: "$context.integrationErrorMessage",
  gatewayError: "$context.error.message",
};

/** The HTTP API: one function for each row of functions/api/routes.ts. */
export class Api extends Construct {
  readonly http: HttpApi;
  readonly functions: ReadonlyMap<OperationId, ServiceFunction>;

  constructor(scope: Construct, id: string, { deployment }: ApiProps) {
    super(scope, id);
    this.http = new HttpApi(this, "Http", { apiName: deployment.settings.stackName, createDefaultStage: false });
    const stage = this.stage(deployment.settings.stackName);
    this.functions = new Map(
      routes.map((route) => [route.operation, this.operation(route, permissions[route.operation], deployment)]),
    );
    new CfnOutput(this, "Url", { value: stage.url });
  }

  private stage(stackName: string): HttpStage {
    const logGroup = new LogGroup(this, "AccessLog", {
      // Log delivery needs the name of a group that begins so, or a policy that grows with every API of the account.
      logGroupName: `/aws/vendedlogs/${stackName}-api`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    return new HttpStage(this, "Stage", {
      httpApi: this.http,
      stageName: "$default",
      autoDeploy: true,
      throttle: { rateLimit: REQUESTS_PER_SECOND, burstLimit: REQUESTS_BURST },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
  }
}
