import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { context as deployedContext } from "#context";
import { exportIdOf, exportMessageOf, queueDelivery } from "../domain/exports/job-export.ts";
import { isUnfinished } from "../domain/jobs/job.ts";
import type { Context } from "../domain/ports.ts";
import { messageIdOf, type WebhookMessage, webhookMessageOf } from "../domain/webhooks/webhook.ts";
import { asError, logger } from "../logger.ts";
import { advancePipeline } from "./advance-pipeline.ts";
import { requeueJob } from "./requeue-job.ts";

/**
 * Announces a job's end: adds its webhook message and its export once, and queues them, and continues its pipeline. Jobs
 * with none of these, or that have not ended, are ignored. If the job was deleted in the meantime, a message that was
 * added too late is deleted here.
 */
export const announceEnd =
  (context: Context) =>
  async (jobId: string): Promise<void> => {
    const job = await context.jobs.getJob(jobId);
    if (job === undefined) {
      await Promise.all([messageIdOf(jobId), exportIdOf(jobId)].map((id) => context.webhooks.remove(id)));
      return;
    }
    if (isUnfinished(job)) {
      return;
    }
    const now = context.clock();
    for (const message of [webhookMessageOf(job, now), exportMessageOf(job, now)]) {
      if (message !== undefined) {
        await addMessage(context, message);
      }
    }
    if (job.pipelineId !== undefined) {
      await advancePipeline(context)(job.pipelineId);
    }
  };

const addMessage = async (context: Context, message: WebhookMessage): Promise<void> => {
  if (!(await context.webhooks.create(message))) {
    return;
  }
  if ((await context.jobs.getJob(message.jobId)) === undefined) {
    await context.webhooks.remove(message.id);
    return;
  }
  await queueDelivery(context.tasks, message, 0);
};

/**
 * Handles the stream of the jobs table: ended jobs with a webhook, an export or a pipeline, and jobs that an attempt has
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
