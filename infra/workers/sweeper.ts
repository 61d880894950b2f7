import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { permissions } from "../permissions.ts";

export interface SweeperProps {
  readonly deployment: Deployment;
}

/** Minutes between two runs. A job without a message waits at most this long, plus two minutes until it is overdue. */
export const SWEEP_MINUTES = 5;

/** Recovers overdue jobs on a schedule: resends jobs that lost their message, and fails those that cannot be resent. */
export class Sweeper extends Construct {
  readonly sweepJobs: ServiceFunction;

  constructor(scope: Construct, id: string, { deployment }: SweeperProps) {
    super(scope, id);
    this.sweepJobs = new ServiceFunction(this, "SweepJobs", {
      deployment,
      bundle: "sweep-jobs",
      description: "Recovers overdue jobs",
      log: "workers",
      permissions: permissions.sweepJobs,
      memoryMegabytes: 512,
      timeoutSeconds: 120,
    });
    // The next run handles what this one could not.
    this.sweepJobs.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(SWEEP_MINUTES) });
    new Rule(this, "Schedule", {
      description: "Recovers overdue jobs",
      schedule: Schedule.rate(Duration.minutes(SWEEP_MINUTES)),
      targets: [new LambdaFunction(this.sweepJobs.lambda, { retryAttempts: 0 })],
    });
  }
}
