import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { FILE_RETENTION_MS } from "../../functions/domain/limits.ts";

/** Creates all queues consistently: encrypted, TLS only, with dead-letter queues. */

/** Retention of dead letters in days: the maximum of SQS, counted from when the message was first sent. */
const DEAD_LETTER_DAYS = 14;

/**
 * Seconds that a message stays hidden beyond the function's timeout, so that it is not delivered twice meanwhile. Lambda
 * recommends six timeouts in total, to retry throttled batches in the meantime. Here a batch is one message, the event
 * source never reads more messages than it may run functions, and throttled deliveries have {@link RECEIVES_MAX}.
 */
export const VISIBILITY_MARGIN_SECONDS = 30;

/**
 * Deliveries before a message is dead-lettered. Lambda counts throttled ones, of which an account with few functions has
 * many. Attempts of a job are counted in its record, and failed tasks pause for up to five minutes.
 */
const RECEIVES_MAX = 20;

/** @returns a dead-letter queue */
export const deadLettersIn = (scope: Construct): Queue =>
  new Queue(scope, "DeadLetters", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
    visibilityTimeout: Duration.minutes(2),
  });

/** @returns a queue for a function with this timeout in seconds */
export const queueIn = (scope: Construct, deadLetters: Queue, functionSeconds: number): Queue =>
  new Queue(scope, "Queue", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.millis(FILE_RETENTION_MS),
    visibilityTimeout: Duration.seconds(functionSeconds + VISIBILITY_MARGIN_SECONDS),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES_MAX },
  });
