import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { permissions } from "./permissions.ts";

export interface DeadLettersProps {
  readonly deployment: Deployment;
  /** The dead-letter queue of every lane. */
  readonly queues: readonly Queue[];
  /** That of uploads which are fetched or looked at. */
  readonly imports: Queue;
}

/**
 * Ends the jobs and uploads whose messages were given up, so that no client waits for ever: reads what lands in the dead
 * letters. Those of other queues are for people to read.
 */
export class DeadLetters extends Construct {
  readonly failJob: ServiceFunction;
  readonly failUpload: ServiceFunction;

  constructor(scope: Construct, id: string, { deployment, queues, imports }: DeadLettersProps) {
    super(scope, id);
    this.failJob = new ServiceFunction(this, "FailJob", {
      deployment,
      bundle: "fail-job",
      description: "Fails the jobs whose messages were given up",
      permissions: permissions.failJob,
      memoryMegabytes: 512,
      timeoutSeconds: 30,
    });
    this.failUpload = new ServiceFunction(this, "FailUpload", {
      deployment,
      bundle: "fail-upload",
      description: "Fails the uploads whose messages were given up",
      permissions: permissions.failUpload,
      memoryMegabytes: 512,
      timeoutSeconds: 30,
    });
    for (const queue of queues) {
      this.failJob.lambda.addEventSource(letters(queue));
    }
    this.failUpload.lambda.addEventSource(letters(imports));
  }
}

const letters = (queue: Queue): SqsEventSource =>
  new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true });
