import { Duration } from "aws-cdk-lib";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "./functions.ts";
import { streamArn } from "./grants.ts";
import { permissions } from "./permissions.ts";
import { deadLettersIn } from "./queues.ts";

export interface AnnouncerProps {
  readonly deployment: Deployment;
}

/** Records of one call: each takes a read, a write and a message, some 30 ms. */
const BATCH_RECORDS = 25;

/** Calls at the same time for each shard of the stream; records of one job stay in their order. */
const BATCHES_AT_ONCE = 5;

/** Times that a record is tried again, with growing pauses, before it goes to the dead letters; the stream holds it for a day. */
const RETRIES_MAX = 20;
const RECORD_HOURS_MAX = 12;

/** A change by which a job ends that somebody wants to be told of: nothing else wakes the function, or costs anything. */
const ENDED_WITH_WEBHOOK = FilterCriteria.filter({
  eventName: FilterRule.isEqual("MODIFY"),
  dynamodb: {
    NewImage: {
      kind: { S: FilterRule.isEqual("job") },
      status: { S: FilterRule.or("completed", "failed", "cancelled") },
      webhook: { M: { url: { S: FilterRule.exists() } } },
    },
  },
});

/**
 * Tells webhooks of the ends of jobs, from the stream of the jobs' table: whoever ended the job, and wherever that broke
 * off, its end is in the stream. What cannot be told is named in the dead letters, by its place in the stream.
 */
export class Announcer extends Construct {
  readonly announceEnd: ServiceFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { deployment }: AnnouncerProps) {
    super(scope, id);
    this.deadLetters = deadLettersIn(this);
    this.announceEnd = new ServiceFunction(this, "AnnounceEnd", {
      deployment,
      bundle: "announce-end",
      description: "Tells webhooks of the ends of jobs",
      permissions: permissions.announceEnd,
      memoryMegabytes: 256,
      timeoutSeconds: 60,
    });
    // Not `DynamoEventSource`, which would grant more than the table of permissions does.
    this.announceEnd.lambda.addEventSourceMapping("Stream", {
      eventSourceArn: streamArn(deployment.reach.tables.jobs),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [ENDED_WITH_WEBHOOK],
      batchSize: BATCH_RECORDS,
      parallelizationFactor: BATCHES_AT_ONCE,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: RETRIES_MAX,
      maxRecordAge: Duration.hours(RECORD_HOURS_MAX),
      onFailure: new SqsDlq(this.deadLetters),
    });
  }
}
