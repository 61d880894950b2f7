import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { permissions } from "./permissions.ts";

export interface SweeperProps {
  readonly deployment: Deployment;
}

/** Minutes between two runs. A job that lost its message waits at most this long, and the two minutes until it is due. */
export const SWEEP_MINUTES = 5;

/** Looks after overdue jobs on a schedule: sends those again that lost their message, ends those that cannot. */
export class Sweeper extends Construct {
  readonly sweepJobs: ServiceFunction;

  constructor(scope: Construct, id: string, { deployment }: SweeperProps) {
    super(scope, id);
    this.sweepJobs = new ServiceFunction(this, "SweepJobs", {
      deployment,
      bundle: "sweep-jobs",
      description: "Looks after overdue jobs",
      permissions: permissions.sweepJobs,
      memoryMegabytes: 512,
      timeoutSeconds: 120,
    });
    // The next run does what this one could not.
    this.sweepJobs.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(SWEEP_MINUTES) });
    new Rule(this, "Schedule", {
      description: "Looks after overdue jobs",
      schedule: Schedule.rate(Duration.minutes(SWEEP_MINUTES)),
      targets: [new LambdaFunction(this.sweepJobs.lambda, { retryAttempts: 0 })],
    });
  }
}
