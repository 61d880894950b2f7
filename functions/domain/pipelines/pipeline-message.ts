import { RECORD_RETENTION_MS } from "../limits.ts";
import { timestamp } from "../times.ts";
import { messageIdOf, type WebhookMessage } from "../webhooks/webhook.ts";
import { endedAt, type Pipeline, type PipelineJobs, pipelineStatus, pipelineView } from "./pipeline.ts";

/** @returns the message about the end of the pipeline; undefined without a webhook, or while a job is unfinished */
export const pipelineMessageOf = (pipeline: Pipeline, jobs: PipelineJobs, now: number): WebhookMessage | undefined => {
  const finishedAt = endedAt(pipeline, jobs);
  if (finishedAt === undefined || pipeline.webhook === undefined) {
    return undefined;
  }
  const { url, baseUrl } = pipeline.webhook;
  const status = pipelineStatus(pipeline, jobs, finishedAt);
  const type = `pipeline.${status === "failed" || status === "cancelled" ? status : "completed"}` as const;
  const data = pipelineView(pipeline, jobs, { baseUrl, now: finishedAt });
  return {
    id: messageIdOf(pipeline.id),
    accountId: pipeline.accountId,
    jobId: pipeline.id,
    type,
    url,
    body: JSON.stringify({ type, timestamp: timestamp(finishedAt), data }),
    status: "pending",
    attempts: [],
    createdAt: now,
    dueAt: now,
    recordExpiresAt: now + RECORD_RETENTION_MS,
  };
};
