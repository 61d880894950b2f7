import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { context as deployedContext } from "#context";
import { isUnfinished } from "../domain/jobs/job.ts";
import type { Context } from "../domain/ports.ts";
import { messageIdOf, webhookMessageOf } from "../domain/webhooks/webhook.ts";
import { asError, logger } from "../logger.ts";
import { advancePipeline } from "./advance-pipeline.ts";
import { requeueJob } from "./requeue-job.ts";

/**
 * Announces a job's end: adds its webhook message once and queues it, and continues its pipeline. Jobs without both, or that
 * have not ended, are ignored. If the job was deleted in the meantime, a message that was added too late is deleted here.
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
      await context.tasks.deliver(message, 0);
    }
    if (job.pipelineId !== undefined && !isUnfinished(job)) {
      await advancePipeline(context)(job.pipelineId);
    }
  };

/**
 * Handles the stream of the jobs table, filtered to ended jobs with a webhook or a pipeline, and jobs that an attempt has
 * returned.
 */
export const handler = async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const { dynamodb } of event.Records) {
    try {
      const handle = dynamodb?.NewImage?.status?.S === "queued" ? requeueJob : announceEnd;
      await handle(deployedContext())(dynamodb?.Keys?.pk?.S ?? "");
    } catch (error) {
      logger.error("job change was not handled", { job_id: dynamodb?.Keys?.pk?.S, error: asError(error) });
      // The stream is resumed from the first failed record.
      return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? "" }] };
    }
  }
  return { batchItemFailures: [] };
};
