import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { FILE_RETENTION_MS, JOB_ATTEMPTS_MAX } from "../functions/domain/limits.ts";

/** The queues, so that they are all alike: encrypted, TLS only, and what is given up is kept. */

/** Days that dead letters stay: the longest that SQS can, counted from when the message was first sent. */
const DEAD_LETTER_DAYS = 14;

/** Seconds that a message stays hidden beyond the function's time limit: nobody else gets it while it is worked on. */
export const VISIBILITY_MARGIN_SECONDS = 30;

/** A message gets one delivery more than a job gets attempts, for the one that finds a lease still running. */
const RECEIVES_MAX = JOB_ATTEMPTS_MAX + 1;

/** @returns a queue of messages that were given up */
export const deadLettersIn = (scope: Construct): Queue =>
  new Queue(scope, "DeadLetters", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
    visibilityTimeout: Duration.minutes(2),
  });

/** @returns a queue for a function that takes at most so many seconds for a message */
export const queueIn = (scope: Construct, deadLetters: Queue, functionSeconds: number): Queue =>
  new Queue(scope, "Queue", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.millis(FILE_RETENTION_MS),
    visibilityTimeout: Duration.seconds(functionSeconds + VISIBILITY_MARGIN_SECONDS),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES_MAX },
  });
