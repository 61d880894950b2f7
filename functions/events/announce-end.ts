import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { context as deployedContext } from "#context";
import { exportIdOf, exportMessageOf, queueDelivery } from "../domain/exports/job-export.ts";
import { isUnfinished } from "../domain/jobs/job.ts";
import type { Context } from "../domain/ports.ts";
import { type Announced, messageIdOf, messageIdsOf, type WebhookMessage } from "../domain/webhooks/message.ts";
import { webhookMessagesOf } from "../domain/webhooks/webhook.ts";
import { asError, logger } from "../logger.ts";
import { advancePipeline } from "./advance-pipeline.ts";
import { requeueJob } from "./requeue-job.ts";

/**
 * Announces a job's end: adds its webhook message and its export once, and queues them, and continues its pipeline. Jobs
 * with none of these, or that have not ended, are ignored. If the job was deleted in the meantime, messages that were
 * added too late are deleted here.
 *
 * @param seen the job as it was when it ended, whose messages are deleted with it
 */
export const announceEnd =
  (context: Context) =>
  async (jobId: string, seen?: Announced): Promise<void> => {
    const job = await context.jobs.getJob(jobId);
    if (job === undefined) {
      const messages = seen === undefined ? [messageIdOf(jobId)] : messageIdsOf(seen);
      await Promise.all([...messages, exportIdOf(jobId)].map((id) => context.webhooks.remove(id)));
      return;
    }
    if (isUnfinished(job)) {
      return;
    }
    const now = context.clock();
    const exporting = exportMessageOf(job, now);
    for (const message of [...webhookMessagesOf(job, now), ...(exporting ? [exporting] : [])]) {
      await addMessage(context, message);
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
      const id = dynamodb?.Keys?.pk?.S ?? "";
      await handle(deployedContext())(id, announcedIn(id, dynamodb?.NewImage ?? {}));
    } catch (error) {
      logger.error("job change was not handled", { job_id: dynamodb?.Keys?.pk?.S, error: asError(error) });
      // The stream is resumed from the first failed record.
      return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? "" }] };
    }
  }
  return { batchItemFailures: [] };
};

/** @returns the parts of the job that the IDs of its messages are derived from */
const announcedIn = (id: string, { accountId, createdAt, endpoints }: Readonly<Image>): Announced => ({
  id,
  accountId: accountId?.S ?? "",
  createdAt: Number(createdAt?.N ?? 0),
  endpoints: {
    baseUrl: "",
    to: (endpoints?.M?.to?.L ?? []).map(({ M }) => ({ id: M?.id?.S ?? "", url: "", events: [] })),
  },
});

type Image = NonNullable<NonNullable<DynamoDBStreamEvent["Records"][number]["dynamodb"]>["NewImage"]>;
