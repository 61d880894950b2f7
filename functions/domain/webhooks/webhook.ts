import { type Job, type JobStatus, jobView, resultFilename } from "../jobs/job.ts";
import { WEBHOOK_FILE_BYTES_MAX } from "../limits.ts";
import { timestamp } from "../times.ts";
import {
  endpointMessages,
  messageIdOf,
  newMessage,
  type WebhookFile,
  type WebhookMessage,
  type WebhookType,
} from "./message.ts";

/** The messages about jobs. */

/** @returns the event type of an ended job; undefined for an unfinished one */
const webhookTypeOf = (status: JobStatus): WebhookType | undefined =>
  status === "completed" || status === "failed" || status === "cancelled" ? `job.${status}` : undefined;

/** @returns the messages about the end of the job; none for an unfinished job */
export const webhookMessagesOf = (job: Job, now: number): readonly WebhookMessage[] => {
  const type = webhookTypeOf(job.status);
  const { webhook, endpoints } = job;
  const baseUrl = (webhook ?? endpoints)?.baseUrl;
  if (type === undefined || baseUrl === undefined) {
    return [];
  }
  const body = JSON.stringify({ type, timestamp: timestamp(job.finishedAt ?? now), data: jobView(job, baseUrl, now) });
  const file = webhook?.sendsFile === true ? fileOf(job) : undefined;
  const own = webhook && newMessage(job, { type, body }, { id: messageIdOf(job.id), url: webhook.url, now });
  return [...(own ? [{ ...own, ...(file && { file }) }] : []), ...endpointMessages(job, { type, body }, now)];
};

/** @returns the result, if it is small enough to be sent */
const fileOf = (job: Job): WebhookFile | undefined => {
  const { result } = job;
  return result === undefined || result.bytes > WEBHOOK_FILE_BYTES_MAX
    ? undefined
    : { key: result.key, bytes: result.bytes, mediaType: result.mediaType, filename: resultFilename(job, result) };
};
