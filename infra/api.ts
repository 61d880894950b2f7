import { RemovalPolicy } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { type ApiRoute, fallbackRoute, type OperationId, routes } from "../functions/api/routes.ts";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { type Permissions, permissions } from "./permissions.ts";

export interface ApiProps {
  readonly deployment: Deployment;
}

/**
 * Requests a second that the whole API takes. It bounds the bill, and the functions that run at once: when a third of
 * 100 requests a second wait for their job the full 25 s, 833 do, of the 1,000 that an account may run.
 */
const REQUESTS_PER_SECOND = 100;

/** Requests that may come at once, on top. */
const REQUESTS_BURST = 200;

/** Neither path nor query: the path of a download holds its token. No header either: its quotes would end the JSON. */
const ACCESS_LOG = {
  requestId: "$context.requestId",
  time: "$context.requestTime",
  route: "$context.routeKey",
  status: "$context.status",
  sourceIp: "$context.identity.sourceIp",
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
  /** Where clients reach it, with a slash at the end. */
  readonly url: string;
  readonly functions: ReadonlyMap<OperationId, ServiceFunction>;

  constructor(scope: Construct, id: string, { deployment }: ApiProps) {
    super(scope, id);
    this.http = new HttpApi(this, "Http", { apiName: deployment.settings.stackName, createDefaultStage: false });
    this.url = this.stage(deployment.settings.stackName).url;
    this.functions = new Map(
      routes.map((route) => [route.operation, this.operation(route, permissions[route.operation], deployment)]),
    );
    this.fallback(deployment);
  }

  private operation(route: ApiRoute, granted: Permissions, deployment: Deployment): ServiceFunction {
    const operation = this.handler(route, granted, deployment);
    this.http.addRoutes({
      path: route.path,
      methods: route.methods.map((method) => HttpMethod[method]),
      integration: new HttpLambdaIntegration(route.operation, operation.lambda),
    });
    return operation;
  }

  /** What no route serves is answered like everything else; the gateway's own 404 is not in our form. */
  private fallback(deployment: Deployment): void {
    const { lambda } = this.handler(fallbackRoute, permissions.fallback, deployment);
    const integration = new HttpLambdaIntegration(fallbackRoute.operation, lambda);
    new HttpRoute(this, "Fallback", { httpApi: this.http, routeKey: HttpRouteKey.DEFAULT, integration });
  }

  private handler(route: ApiRoute, granted: Permissions, deployment: Deployment): ServiceFunction {
    const { publicUrl } = deployment.settings;
    return new ServiceFunction(this, route.operation, {
      deployment,
      bundle: route.file,
      description: `${route.methods.join(", ")} ${route.path}: ${route.summary}`.trim(),
      permissions: granted,
      environment: publicUrl === undefined ? {} : { ANYFORM_PUBLIC_URL: publicUrl },
      memoryMegabytes: route.memoryMegabytes,
      timeoutSeconds: route.timeoutSeconds,
    });
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
