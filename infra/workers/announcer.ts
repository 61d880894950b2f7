import { Duration } from "aws-cdk-lib";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { streamArn } from "../grants.ts";
import { permissions } from "../permissions.ts";
import { deadLettersIn } from "./queues.ts";

export interface AnnouncerProps {
  readonly deployment: Deployment;
}

/** Records per invocation: each needs a read, a write and a message, about 30 ms. */
const BATCH_RECORDS = 25;

/** Concurrent invocations per shard of the stream; records of one job stay in order. */
const BATCHES_AT_ONCE = 5;

/** Retries of a record, with growing pauses, before it is dead-lettered; the stream keeps it for a day. */
const RETRIES_MAX = 20;
const RECORD_HOURS_MAX = 12;

/** Matches the end of a job with a webhook. Other changes do not invoke the function and cost nothing. */
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

/** Matches the end of a job that endpoints of its account may receive. */
const ENDED_WITH_ENDPOINTS = FilterCriteria.filter({
  eventName: FilterRule.isEqual("MODIFY"),
  dynamodb: {
    NewImage: {
      kind: { S: FilterRule.isEqual("job") },
      status: { S: FilterRule.or("completed", "failed", "cancelled") },
      endpoints: { M: { baseUrl: { S: FilterRule.exists() } } },
    },
  },
});

/** Matches the end of a job whose result is to be exported; later changes of the export do not. */
const ENDED_WITH_EXPORT = FilterCriteria.filter({
  eventName: FilterRule.isEqual("MODIFY"),
  dynamodb: {
    NewImage: {
      kind: { S: FilterRule.isEqual("job") },
      status: { S: FilterRule.isEqual("completed") },
      export: { M: { status: { S: FilterRule.isEqual("pending") }, attempts: { N: FilterRule.isEqual("0") } } },
    },
  },
});

/** Matches the end of a job that is a step of a pipeline. */
const ENDED_IN_PIPELINE = FilterCriteria.filter({
  eventName: FilterRule.isEqual("MODIFY"),
  dynamodb: {
    NewImage: {
      kind: { S: FilterRule.isEqual("job") },
      status: { S: FilterRule.or("completed", "failed", "cancelled") },
      pipelineId: { S: FilterRule.exists() },
    },
  },
});

/** Matches a job that a failed attempt has returned to the queue. The sweeper rarely changes such a job again. */
const RETURNED = FilterCriteria.filter({
  eventName: FilterRule.isEqual("MODIFY"),
  dynamodb: {
    NewImage: {
      kind: { S: FilterRule.isEqual("job") },
      status: { S: FilterRule.isEqual("queued") },
      attempt: { N: FilterRule.notEquals("0") },
    },
  },
});

/**
 * Sends webhooks for ended jobs, continues their pipelines, and sends messages for jobs to retry, from the stream of the jobs table. The stream contains the end of every job, whatever
 * ended it and even if that process was interrupted. Failed records are dead-lettered with their stream position.
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
      description: "Sends webhooks and exports for ended jobs, continues pipelines, and retries failed attempts",
      log: "workers",
      permissions: permissions.announceEnd,
      memoryMegabytes: 256,
      timeoutSeconds: 60,
    });
    // `DynamoEventSource` would grant more than the permissions table allows.
    this.announceEnd.lambda.addEventSourceMapping("Stream", {
      eventSourceArn: streamArn(deployment.reach.tables.jobs),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [ENDED_WITH_WEBHOOK, ENDED_WITH_ENDPOINTS, ENDED_WITH_EXPORT, ENDED_IN_PIPELINE, RETURNED],
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
