import { RemovalPolicy } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";

/** Logs that functions share. Each line names its operation, lane or task, and each stream its function. */
export const logNames = ["api", "converters", "workers"] as const;

export type LogName = (typeof logNames)[number];

export type Logs = Readonly<Record<LogName, LogGroup>>;

/** @returns a log group without a fixed name, which keeps its lines for 30 days */
export const logIn = (scope: Construct, id: string, logGroupName?: string): LogGroup =>
  new LogGroup(scope, id, {
    ...(logGroupName !== undefined && { logGroupName }),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });

/** @returns the logs of all functions: one for each kind, because one for each function would take 50 resources */
export const logsIn = (scope: Construct): Logs => {
  const place = new Construct(scope, "Logs");
  return { api: logIn(place, "api"), converters: logIn(place, "converters"), workers: logIn(place, "workers") };
};
