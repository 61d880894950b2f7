import { Duration, Fn, Stack } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import { HttpApi, HttpStage, LogGroupLogDestination } from "aws-cdk-lib/aws-apigatewayv2";
import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, type IFilterPattern, type LogGroup } from "aws-cdk-lib/aws-logs";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { fallbackRoute, type OperationId, routeOf } from "../../functions/api/routes.ts";
import type { Deployment, ServiceFunction } from "../functions.ts";
import { logIn } from "../logs.ts";
import type { Capacity } from "../settings/capacity.ts";
import { operationsIn, operationsOf } from "./operations.ts";

export interface ApiProps {
  readonly deployment: Deployment;
  /** Secret of the distribution. @default none: there is no distribution */
  readonly edgeSecret: ISecret | undefined;
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

/** Operations whose failures are counted separately: they are rare, and each failure locks somebody out. */
const COUNTED: readonly OperationId[] = ["createSignInCode", "receiveBillingEvent"];

/** The HTTP API, with the operations of this stack. Other stacks add routes to it. */
export class Api extends Construct {
  readonly http: HttpApi;
  /** Public URL, with a trailing slash. */
  readonly url: string;
  /** The functions of this stack's operations. */
  readonly functions: ReadonlyMap<OperationId, ServiceFunction>;
  readonly edgeSecret: ISecret | undefined;
  readonly accessLog: LogGroup;
  /** The functions that are deployed gradually; none if all are deployed at once. */
  readonly aliases: ReadonlyMap<OperationId, Alias>;
  /** Responses with a status of 500 or more, of the operations that are counted separately. */
  readonly failures: ReadonlyMap<OperationId, IMetric>;
  /** Responses with a status of 500 or more, except 501. */
  readonly serverErrors: IMetric;
  /** Requests that the gateway rejected with 429, before any function ran. */
  readonly throttled: IMetric;

  constructor(scope: Construct, id: string, { deployment, edgeSecret }: ApiProps) {
    super(scope, id);
    const { stackName } = deployment.settings;
    this.edgeSecret = edgeSecret;
    this.accessLog = this.log();
    const log = this.accessLog;
    this.http = new HttpApi(this, "Http", { apiName: deployment.settings.stackName, createDefaultStage: false });
    this.url = this.stage(log, deployment.settings.capacity).url;
    this.serverErrors = serverErrorsIn(log, stackName);
    this.throttled = throttledIn(log, stackName);
    this.failures = new Map(COUNTED.map((operation) => [operation, failuresOf(log, operation, stackName)]));
    const { functions, aliases } = operationsIn(this, this.http, {
      deployment,
      edgeSecret,
      http: this.http,
      operations: operationsOf("service"),
      fallback: fallbackRoute,
    });
    this.functions = functions;
    this.aliases = aliases;
  }

  /**
   * Log delivery requires a name with this prefix, or a policy that grows with every API of the account. The rest is the
   * stack's name and the first part of its ID, which is random.
   */
  private log(): LogGroup {
    const { stackId, stackName } = Stack.of(this);
    const random = Fn.select(0, Fn.split("-", Fn.select(2, Fn.split("/", stackId))));
    return logIn(this, "AccessLog", `/aws/vendedlogs/${stackName}-${random}`);
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
