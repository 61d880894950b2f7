import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { permissions } from "../permissions.ts";

export interface ServiceCheckProps {
  readonly deployment: Deployment;
  /** Public URL of the service. */
  readonly url: string;
  /** Name of a secret whose value is a test key. */
  readonly keySecret: string;
}

/** Minutes between two runs. */
export const CHECK_MINUTES = 5;

/** An upload, a conversion with two waits of 25 s, and a download. */
const TIMEOUT_SECONDS = 120;

/** Converts a file on a schedule, over the public URL like a client. It has no permissions except to write its log. */
export class ServiceCheck extends Construct {
  readonly check: ServiceFunction;

  constructor(scope: Construct, id: string, { deployment, url, keySecret }: ServiceCheckProps) {
    super(scope, id);
    const key = Secret.fromSecretNameV2(this, "Key", keySecret);
    this.check = new ServiceFunction(this, "Check", {
      deployment,
      bundle: "check-service",
      description: "Converts a file like a client",
      log: "workers",
      permissions: permissions.checkService,
      environment: { ANYFORM_CHECK_URL: url, ANYFORM_CHECK_KEY: key.secretValue.unsafeUnwrap() },
      memoryMegabytes: 256,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    // The next run checks again.
    this.check.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(CHECK_MINUTES) });
    new Rule(this, "Schedule", {
      description: "Converts a file like a client",
      schedule: Schedule.rate(Duration.minutes(CHECK_MINUTES)),
      targets: [new LambdaFunction(this.check.lambda, { retryAttempts: 0 })],
    });
  }
}
