import { Duration, RemovalPolicy } from "aws-cdk-lib";
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
import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type IFilterPattern, LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import {
  type ApiRoute,
  fallbackRoute,
  MEMORY_MEGABYTES,
  type OperationId,
  routeOf,
  routes,
  TIMEOUT_SECONDS,
} from "../functions/api/routes.ts";
import type { Capacity } from "./capacity.ts";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { type Permissions, permissions } from "./permissions.ts";

export interface ApiProps {
  readonly deployment: Deployment;
}

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

/** Of what is counted here. */
const METRIC_MINUTES = 5;

/** Characters of letters and digits: 256 bits. */
const EDGE_SECRET_CHARACTERS = 43;

/** Operations whose failures are counted alone, because few are asked for and each keeps somebody out. */
const COUNTED: readonly OperationId[] = ["createSignInCode", "receiveBillingEvent"];

/** The HTTP API: one function for each row of functions/api/routes.ts. */
export class Api extends Construct {
  readonly http: HttpApi;
  /** Where clients reach it, with a slash at the end. */
  readonly url: string;
  readonly functions: ReadonlyMap<OperationId, ServiceFunction>;
  /**
   * What the distribution shows with each request, so that the functions believe what it says of who asked, and by which
   * name; undefined where there is none.
   */
  readonly edgeSecret: Secret | undefined;
  /** Answers with a status of 500 or more, of the operations that are counted alone. */
  readonly failures: ReadonlyMap<OperationId, IMetric>;
  /** Answers with a status of 500 or more, but 501. */
  readonly serverErrors: IMetric;

  constructor(scope: Construct, id: string, { deployment }: ApiProps) {
    super(scope, id);
    const { pages, stackName } = deployment.settings;
    this.edgeSecret = pages ? this.generatedSecret() : undefined;
    const log = this.log(stackName);
    this.http = new HttpApi(this, "Http", { apiName: deployment.settings.stackName, createDefaultStage: false });
    this.url = this.stage(log, deployment.settings.capacity).url;
    this.serverErrors = serverErrorsIn(log, stackName);
    this.failures = new Map(COUNTED.map((operation) => [operation, failuresOf(log, operation, stackName)]));
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
    const { publicUrl, visitors } = deployment.settings;
    return new ServiceFunction(this, route.operation, {
      deployment,
      bundle: route.file,
      description: `${route.methods.join(", ")} ${route.path}: ${route.summary}`.trim(),
      permissions: granted,
      environment: {
        ...(publicUrl !== undefined && { ANYFORM_PUBLIC_URL: publicUrl }),
        ...(visitors && { ANYFORM_VISITORS: "true" }),
        ...(this.edgeSecret && { ANYFORM_EDGE_SECRET: this.edgeSecret.secretValue.unsafeUnwrap() }),
      },
      memoryMegabytes: route.memoryMegabytes ?? MEMORY_MEGABYTES,
      timeoutSeconds: route.timeoutSeconds ?? TIMEOUT_SECONDS,
    });
  }

  private generatedSecret(): Secret {
    return new Secret(this, "EdgeSecret", {
      description: "What CloudFront shows the API",
      generateSecretString: { excludePunctuation: true, passwordLength: EDGE_SECRET_CHARACTERS },
    });
  }

  private log(stackName: string): LogGroup {
    return new LogGroup(this, "AccessLog", {
      // Log delivery needs the name of a group that begins so, or a policy that grows with every API of the account.
      logGroupName: `/aws/vendedlogs/${stackName}-api`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  private stage(logGroup: LogGroup, { requestsPerSecond, requestsBurst }: Capacity): HttpStage {
    return new HttpStage(this, "Stage", {
      httpApi: this.http,
      stageName: "$default",
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: requestsBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
  }
}

/** The log has all values as strings: `503` begins with a 5. */
const failuresOf = (log: LogGroup, operation: OperationId, stackName: string): IMetric => {
  const { methods, path } = routeOf(operation);
  return counted(log, stackName, {
    name: `${operation}Failures`,
    pattern: FilterPattern.all(
      FilterPattern.stringValue("$.route", "=", `${methods[0]} ${path}`),
      FilterPattern.stringValue("$.status", "=", "5*"),
    ),
  });
};

/**
 * Not API Gateway's own count, which has 501 in it: that says that the operator has not set something up, and anybody could
 * ring the alarm by asking for it.
 */
const serverErrorsIn = (log: LogGroup, stackName: string): IMetric =>
  counted(log, stackName, {
    name: "serverErrors",
    pattern: FilterPattern.all(
      FilterPattern.stringValue("$.status", "=", "5*"),
      FilterPattern.stringValue("$.status", "!=", "501"),
    ),
  });

const counted = (
  log: LogGroup,
  metricNamespace: string,
  { name, pattern }: { readonly name: string; readonly pattern: IFilterPattern },
): IMetric =>
  log
    .addMetricFilter(name, { filterPattern: pattern, metricNamespace, metricName: name, metricValue: "1" })
    .metric({ statistic: "Sum", period: Duration.minutes(METRIC_MINUTES) });
