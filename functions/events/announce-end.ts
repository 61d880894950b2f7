import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { context as deployedContext } from "#context";
import { isUnfinished } from "../domain/jobs.ts";
import type { Context } from "../domain/ports.ts";
import { messageIdOf, webhookMessageOf } from "../domain/webhooks.ts";
import { asError, logger } from "../logger.ts";

/**
 * Tells of a job's end: adds the message to its webhook, once, and has it sent. A job whose end nobody wants to know, or
 * that has not ended, is left alone. One that was erased meanwhile is told of by nobody: what came too late to be erased
 * with it goes here.
 */
export const announceEnd =
  (context: Context) =>
  async (jobId: string): Promise<void> => {
    const job = await context.jobs.getJob(jobId);
    const message = job && !isUnfinished(job) ? webhookMessageOf(job, context.clock()) : undefined;
    const isNew = message !== undefined && (await context.webhooks.create(message));
    if (job === undefined || (isNew && (await context.jobs.getJob(jobId)) === undefined)) {
      await context.webhooks.remove(messageIdOf(jobId));
      return;
    }
    if (isNew) {
      await context.tasks.deliver(message.id, 0);
    }
  };

/** Takes the stream of the jobs' table, of which a filter lets only jobs through that have ended and have a webhook. */
export const handler = async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const { dynamodb } of event.Records) {
    try {
      await announceEnd(deployedContext())(dynamodb?.Keys?.pk?.S ?? "");
    } catch (error) {
      logger.error("an end was not announced", { job_id: dynamodb?.Keys?.pk?.S, error: asError(error) });
      // A stream is taken up again from the first record that failed.
      return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? "" }] };
    }
  }
  return { batchItemFailures: [] };
};
