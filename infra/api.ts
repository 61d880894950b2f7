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
  type AnyOperation,
  MEMORY_MEGABYTES,
  servedMethods,
  servedPaths,
  TIMEOUT_SECONDS,
} from "../functions/api/operation.ts";
import { fallbackRoute, type OperationId, routeOf, routes } from "../functions/api/routes.ts";
import { bundleName } from "./bundle-name.ts";
import { type Capacity, waitsOf } from "./capacity.ts";
import { type Deployment, ServiceFunction } from "./functions.ts";

export interface ApiProps {
  readonly deployment: Deployment;
}

/** No path or query: a download path contains its token. No headers: their quotes would break the JSON. */
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

/** Period of the metrics that are counted here. */
const METRIC_MINUTES = 5;

/** Characters of letters and digits: 256 bits. */
const EDGE_SECRET_CHARACTERS = 43;

/** Operations whose failures are counted separately: they are rare, and each failure locks somebody out. */
const COUNTED: readonly OperationId[] = ["createSignInCode", "receiveBillingEvent"];

/** The HTTP API: one function per operation in functions/api/routes.ts. */
export class Api extends Construct {
  readonly http: HttpApi;
  /** Public URL, with a trailing slash. */
  readonly url: string;
  readonly functions: ReadonlyMap<OperationId, ServiceFunction>;
  /**
   * Secret that the distribution sends with each request, so that the functions trust its headers about the client's
   * address and the requested host; undefined without a distribution.
   */
  readonly edgeSecret: Secret | undefined;
  /** Responses with a status of 500 or more, of the operations that are counted separately. */
  readonly failures: ReadonlyMap<OperationId, IMetric>;
  /** Responses with a status of 500 or more, except 501. */
  readonly serverErrors: IMetric;
  /** Requests that the gateway rejected with 429, before any function ran. */
  readonly throttled: IMetric;

  constructor(scope: Construct, id: string, { deployment }: ApiProps) {
    super(scope, id);
    const { pages, stackName } = deployment.settings;
    this.edgeSecret = pages ? this.generatedSecret() : undefined;
    const log = this.log(stackName);
    this.http = new HttpApi(this, "Http", { apiName: deployment.settings.stackName, createDefaultStage: false });
    this.url = this.stage(log, deployment.settings.capacity).url;
    this.serverErrors = serverErrorsIn(log, stackName);
    this.throttled = throttledIn(log, stackName);
    this.failures = new Map(COUNTED.map((operation) => [operation, failuresOf(log, operation, stackName)]));
    this.functions = new Map(routes.map((route) => [route.id, this.operation(route, deployment)]));
    this.fallback(deployment);
  }

  private operation(route: AnyOperation, deployment: Deployment): ServiceFunction {
    const handler = this.handler(route, deployment);
    // One permission per function: one for each route would take a tenth of the resources that a stack can have.
    const integration = new HttpLambdaIntegration(route.id, handler.lambda, { scopePermissionToRoute: false });
    for (const path of servedPaths(route)) {
      const methods = servedMethods(route).map((method) => HttpMethod[method]);
      this.http.addRoutes({ path, methods, integration });
    }
    return handler;
  }

  /** Unknown paths get the API's error format, which the gateway's default 404 does not have. */
  private fallback(deployment: Deployment): void {
    const { lambda } = this.handler(fallbackRoute, deployment);
    const integration = new HttpLambdaIntegration(fallbackRoute.id, lambda);
    new HttpRoute(this, "Fallback", { httpApi: this.http, routeKey: HttpRouteKey.DEFAULT, integration });
  }

  private handler(route: AnyOperation, deployment: Deployment): ServiceFunction {
    const { publicUrl, visitors, capacity } = deployment.settings;
    const reserved = new Map(Object.entries(capacity.waiting ?? {})).get(route.id);
    return new ServiceFunction(this, route.id, {
      deployment,
      bundle: bundleName(route.id),
      description: `${route.methods.join(", ")} ${route.path}: ${route.summary}`.trim(),
      permissions: route.permissions,
      environment: {
        ...(publicUrl !== undefined && { ANYFORM_PUBLIC_URL: publicUrl }),
        ...(visitors && { ANYFORM_VISITORS: "true" }),
        ...(reserved !== undefined && { ANYFORM_WAITS_MAX: String(waitsOf(reserved)) }),
        ...(this.edgeSecret && { ANYFORM_EDGE_SECRET: this.edgeSecret.secretValue.unsafeUnwrap() }),
      },
      memoryMegabytes: route.memoryMegabytes ?? MEMORY_MEGABYTES,
      timeoutSeconds: route.timeoutSeconds ?? TIMEOUT_SECONDS,
      reserved,
    });
  }

  private generatedSecret(): Secret {
    return new Secret(this, "EdgeSecret", {
      description: "Secret that CloudFront sends to the API",
      generateSecretString: { excludePunctuation: true, passwordLength: EDGE_SECRET_CHARACTERS },
    });
  }

  private log(stackName: string): LogGroup {
    return new LogGroup(this, "AccessLog", {
      // Log delivery requires this prefix, or a policy that grows with every API of the account.
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

/** All values in the log are strings: `503` starts with a 5. */
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
 * API Gateway's metric includes 501, which means that a feature is not set up: anybody could trigger the alarm by
 * requesting it.
 */
const serverErrorsIn = (log: LogGroup, stackName: string): IMetric =>
  counted(log, stackName, {
    name: "serverErrors",
    pattern: FilterPattern.all(
      FilterPattern.stringValue("$.status", "=", "5*"),
      FilterPattern.stringValue("$.status", "!=", "501"),
    ),
  });

/** Rejections of a single account are made by functions: those of the gateway concern everybody. */
const throttledIn = (log: LogGroup, stackName: string): IMetric =>
  counted(log, stackName, {
    name: "throttledRequests",
    pattern: FilterPattern.all(
      FilterPattern.stringValue("$.status", "=", "429"),
      FilterPattern.stringValue("$.functionMilliseconds", "=", "-"),
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
