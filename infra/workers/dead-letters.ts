import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { permissions } from "../permissions.ts";
import type { Announcer } from "./announcer.ts";
import type { Tasks } from "./tasks.ts";

export interface DeadLettersProps {
  readonly deployment: Deployment;
  /** The dead-letter queue of all lanes. */
  readonly jobs: Queue;
  /** The dead-letter queue of upload imports and checks. */
  readonly imports: Queue;
}

/**
 * Reads dead letters and fails their jobs and uploads, so that no client waits forever. Dead letters of other queues
 * require an operator.
 */
export class DeadLetters extends Construct {
  readonly failJob: ServiceFunction;
  readonly failUpload: ServiceFunction;

  constructor(scope: Construct, id: string, { deployment, jobs, imports }: DeadLettersProps) {
    super(scope, id);
    this.failJob = new ServiceFunction(this, "FailJob", {
      deployment,
      bundle: "fail-job",
      description: "Fails jobs whose messages were dead-lettered",
      log: "workers",
      permissions: permissions.failJob,
      memoryMegabytes: 512,
      timeoutSeconds: 30,
    });
    this.failUpload = new ServiceFunction(this, "FailUpload", {
      deployment,
      bundle: "fail-upload",
      description: "Fails uploads whose messages were dead-lettered",
      log: "workers",
      permissions: permissions.failUpload,
      memoryMegabytes: 512,
      timeoutSeconds: 30,
    });
    this.failJob.lambda.addEventSource(letters(jobs));
    this.failUpload.lambda.addEventSource(letters(imports));
  }
}

/** @returns the dead-letter queues by the names of the queues that they belong to */
export const deadLetterQueues = (
  jobs: Queue,
  { byId: { imports, webhooks, exports, erasures } }: Tasks,
  { deadLetters: announcements }: Announcer,
): Readonly<Record<string, Queue>> => ({
  jobs,
  imports: imports.deadLetters,
  webhooks: webhooks.deadLetters,
  exports: exports.deadLetters,
  erasures: erasures.deadLetters,
  announcements,
});

const letters = (queue: Queue): SqsEventSource =>
  new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true });
