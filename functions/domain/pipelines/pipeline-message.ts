import { timestamp } from "../times.ts";
import { endpointMessages, messageIdOf, newMessage, type WebhookMessage } from "../webhooks/message.ts";
import { endedAt, type Pipeline, type PipelineJobs, pipelineStatus, pipelineView } from "./pipeline.ts";

/** @returns the messages about the end of the pipeline; none while a job is unfinished */
export const pipelineMessagesOf = (pipeline: Pipeline, jobs: PipelineJobs, now: number): readonly WebhookMessage[] => {
  const finishedAt = endedAt(pipeline, jobs);
  const { webhook, endpoints } = pipeline;
  const baseUrl = (webhook ?? endpoints)?.baseUrl;
  if (finishedAt === undefined || baseUrl === undefined) {
    return [];
  }
  const status = pipelineStatus(pipeline, jobs, finishedAt);
  const type = `pipeline.${status === "failed" || status === "cancelled" ? status : "completed"}` as const;
  const data = pipelineView(pipeline, jobs, { baseUrl, now: finishedAt });
  const body = JSON.stringify({ type, timestamp: timestamp(finishedAt), data });
  const own = webhook && newMessage(pipeline, { type, body }, { id: messageIdOf(pipeline.id), url: webhook.url, now });
  return [...(own ? [own] : []), ...endpointMessages(pipeline, { type, body }, now)];
};
