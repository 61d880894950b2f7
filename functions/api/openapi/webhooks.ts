import type { Account } from "../../domain/accounts/plans.ts";
import { quotaNotice } from "../../domain/accounts/quota-notices.ts";
import { monthOf } from "../../domain/accounts/quotas.ts";
import { pipelineMessagesOf } from "../../domain/pipelines/pipeline-message.ts";
import { timestamp } from "../../domain/times.ts";
import { type Example, example } from "../operation.ts";
import type { Samples } from "./samples.ts";
import { reference } from "./schemas.ts";

/** The messages that the service sends, for the document's `webhooks`. */

const headers = [
  {
    name: "webhook-id",
    description: "The ID of the message. Every attempt has the same one: use it to detect duplicates.",
    example: "msg_00GxPqjL0a1b2c3d4e5f6g",
  },
  {
    name: "webhook-timestamp",
    description: "When this attempt was sent, in seconds since 1970.",
    example: "1795176013",
  },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the base64 HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the signing " +
      "secret of the account or the endpoint. For 24 hours after a rotation there are two signatures, separated by a space.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
].map((header) => ({ ...header, in: "header", required: true, schema: { type: "string" } }));

const answers = {
  "2XX": { description: "The message was received." },
  "410": { description: "The endpoint is gone. The message is not retried." },
  default: { description: "Any other status, including redirects. The message is retried." },
};

const DESCRIPTION =
  "Sent to the `webhook_url` of the job or pipeline and to the endpoints of the account that receive the type, following [Standard Webhooks](https://www.standardwebhooks.com). Retried after " +
  "5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h until a 2xx status arrives within 15 seconds. A message can be delivered more than once.";

const messages = {
  "job.completed": { operation: "jobCompleted", summary: "Job completed", example: "webhookCompleted" },
  "job.failed": { operation: "jobFailed", summary: "Job failed", example: "webhookFailed" },
  "job.cancelled": { operation: "jobCancelled", summary: "Job cancelled", example: "webhookCancelled" },
  "pipeline.completed": {
    operation: "pipelineCompleted",
    summary: "Pipeline completed",
    example: "webhookPipelineCompleted",
  },
  "pipeline.failed": { operation: "pipelineFailed", summary: "Pipeline failed", example: "webhookPipelineFailed" },
  "pipeline.cancelled": {
    operation: "pipelineCancelled",
    summary: "Pipeline cancelled",
    example: "webhookPipelineCancelled",
  },
  "quota.warning": { operation: "quotaWarning", summary: "80 % of the quota used", example: "webhookQuotaWarning" },
  "quota.reached": { operation: "quotaReached", summary: "Quota used up", example: "webhookQuotaReached" },
  "webhook.test": { operation: "webhookTest", summary: "Test message", example: "webhookTestMessage" },
} as const;

/** @returns an example of each message */
export const webhookExamples = ({
  jobs,
  messageOf,
  pipelines,
  baseUrl,
  owner,
  endpoint,
  time,
}: Samples): Readonly<Record<string, Example>> => ({
  webhookCompleted: example("WebhookEvent", "A completed job", JSON.parse(messageOf(jobs.completed).body)),
  webhookFailed: example("WebhookEvent", "A failed job", JSON.parse(messageOf(jobs.failed).body)),
  webhookCancelled: example("WebhookEvent", "A cancelled job", JSON.parse(messageOf(jobs.cancelled).body)),
  webhookQuotaWarning: example("QuotaEvent", "80 of 100 requests used", quotaEvent(owner, time, 80)),
  webhookQuotaReached: example("QuotaEvent", "All requests used", quotaEvent(owner, time, 100)),
  webhookTestMessage: example("WebhookTestEvent", "A test message", {
    type: "webhook.test",
    timestamp: timestamp(time),
    data: { endpoint_id: endpoint.id },
  }),
  ...Object.fromEntries(
    (["completed", "failed", "cancelled"] as const).map((status) => [
      `webhookPipeline${status.replace(/^./, (letter) => letter.toUpperCase())}`,
      example("PipelineEvent", `A ${status} pipeline`, pipelineEvent(pipelines, status, baseUrl)),
    ]),
  ),
});

const quotaEvent = (account: Account, now: number, used: number): unknown => {
  const notice = quotaNotice(account, { month: monthOf(now), limit: 100 }, { used, now });
  return JSON.parse(notice?.body ?? "null");
};

const pipelineEvent = (
  { pipeline, ...jobs }: Samples["pipelines"],
  status: "cancelled" | "completed" | "failed",
  baseUrl: string,
): unknown => {
  const webhook = { url: "https://example.com/hooks/anyform", baseUrl };
  const [message] = pipelineMessagesOf({ ...pipeline, webhook }, jobs[status], pipeline.createdAt);
  return JSON.parse(message?.body ?? "null");
};

/** @returns the messages to webhooks, by type */
export const webhooks = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(messages).map(([type, { operation, summary, example }]) => [
      type,
      { post: { operationId: operation, summary, ...operationOf(example) } },
    ]),
  );

const schemaOf = (example: string): string => {
  const [, kind = ""] = /^webhook(Pipeline|Quota|Test)/.exec(example) ?? [];
  return { Pipeline: "PipelineEvent", Quota: "QuotaEvent", Test: "WebhookTestEvent" }[kind] ?? "WebhookEvent";
};

const operationOf = (example: string) => ({
  description: DESCRIPTION,
  tags: ["Webhooks"],
  security: [],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: reference(schemaOf(example)),
        examples: { [example]: { $ref: `#/components/examples/${example}` } },
      },
    },
  },
  responses: answers,
});
