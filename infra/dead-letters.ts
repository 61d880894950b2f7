import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { permissions } from "./permissions.ts";

export interface DeadLettersProps {
  readonly deployment: Deployment;
  /** The dead-letter queue of every lane. */
  readonly queues: readonly Queue[];
}

/** Ends the jobs whose messages were given up, so that no client waits for ever: reads what lands in the dead letters. */
export class DeadLetters extends Construct {
  readonly failJob: ServiceFunction;

  constructor(scope: Construct, id: string, { deployment, queues }: DeadLettersProps) {
    super(scope, id);
    this.failJob = new ServiceFunction(this, "FailJob", {
      deployment,
      bundle: "fail-job",
      description: "Fails the jobs whose messages were given up",
      permissions: permissions.failJob,
      memoryMegabytes: 512,
      timeoutSeconds: 30,
    });
    for (const queue of queues) {
      this.failJob.lambda.addEventSource(new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true }));
    }
  }
}
