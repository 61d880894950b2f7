import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { count, flag, id, next, orNull, text, time } from "../fields.ts";
import { jobSchema } from "../jobs/job-views.ts";
import { pipelineSchema } from "../pipelines/pipeline-views.ts";
import { jobTypes, pipelineTypes, quotaTypes, webhookTypes } from "./message.ts";

/** Webhook messages as the API returns and sends them: see uploads/upload-views.ts. */

const webhookType = () => described(z.enum(webhookTypes), "The type of event.");

export const webhookSchema = described(
  z.strictObject({
    id: id("msg", "Message ID, sent as `webhook-id` with every attempt."),
    job_id: text("ID of the job or pipeline; of the account, for `quota.warning` and `quota.reached`."),
    endpoint_id: orNull(text("ID of the endpoint. Null: the webhook URL of the account or of the job.")),
    type: webhookType(),
    url: text("The URL the message is sent to."),
    status: described(z.enum(["pending", "delivered", "failed"]), "`failed` after the last attempt."),
    attempts: described(
      z.array(
        z.strictObject({
          at: time("When the attempt was made."),
          duration_ms: described(z.int(), "Milliseconds until the response or timeout."),
          status: orNull(described(z.int(), "The HTTP status of the response.")),
          error: orNull(text("Why there was no response.")),
        }),
      ),
      "All attempts so far, oldest first.",
    ),
    created_at: time("When the job or pipeline ended."),
    next_attempt_at: orNull(time("When the next attempt is made. Null if there is none.")),
  }),
  "A webhook message.",
);

export const webhookListSchema = described(
  z.strictObject({ messages: described(z.array(webhookSchema), "Messages, newest first."), next: next() }),
  "A page of webhook messages.",
);

const secrets = () =>
  described(
    z.array(
      z.strictObject({
        secret: text("`whsec_` and the base64 key, as Standard Webhooks libraries expect it."),
        created_at: time("When the secret was created."),
        expires_at: orNull(time("When a rotated secret expires. Null for the current one.")),
      }),
    ),
    "Secrets, newest first. Each one signs every message.",
  );

export const webhookSecretSchema = described(
  z.strictObject({ secrets: secrets() }),
  "The signing secrets of webhooks.",
);

export const endpointSchema = described(
  z.strictObject({
    id: text("Endpoint ID. `default` is the webhook URL of the account, which has all events of jobs and pipelines."),
    url: text("The URL that messages are sent to."),
    description: orNull(text("A note for the owner.")),
    events: described(z.array(webhookType()), "The types of events that it receives."),
    enabled: flag("Whether it receives messages."),
    secrets: secrets(),
    created_at: time("When the endpoint was created."),
  }),
  "A webhook endpoint.",
);

export const endpointListSchema = described(
  z.strictObject({ endpoints: described(z.array(endpointSchema), "Endpoints, oldest first, after the default one.") }),
  "The webhook endpoints of an account.",
);

export const webhookTestSchema = described(
  z.strictObject({
    delivered: flag("Whether the endpoint accepted the message with a 2xx status within 15 seconds."),
    message_id: id("msg", "The `webhook-id` of the message."),
    duration_ms: described(z.int(), "Milliseconds until the response or timeout."),
    status: orNull(described(z.int(), "The HTTP status of the response.")),
    error: orNull(text("Why there was no response.")),
  }),
  "The result of a test message.",
);

export const webhookEventSchema = described(
  z.strictObject({
    type: described(z.enum(jobTypes), "The type of event."),
    timestamp: time("When the job ended."),
    data: jobSchema,
  }),
  "The body of a webhook message about a job.",
);

export const pipelineEventSchema = described(
  z.strictObject({
    type: described(z.enum(pipelineTypes), "The type of event."),
    timestamp: time("When the last step ended."),
    data: pipelineSchema,
  }),
  "The body of a webhook message about a pipeline.",
);

export const quotaEventSchema = described(
  z.strictObject({
    type: described(z.enum(quotaTypes), "`quota.warning` at 80 %, `quota.reached` at 100 %."),
    timestamp: time("When the threshold was reached."),
    data: described(
      z.strictObject({
        month: text("The UTC month: `2026-11`."),
        percent: described(z.int(), "The threshold: 80 or 100."),
        limit: count("Requests per month."),
        used: count("Requests counted when the threshold was noticed."),
        resets_at: time("When the next month starts."),
      }),
      "The usage of the account.",
    ),
  }),
  "The body of a webhook message about the quota. Sent once per month and threshold.",
);

export const webhookTestEventSchema = described(
  z.strictObject({
    type: described(z.literal("webhook.test"), "The type of event."),
    timestamp: time("When the test was requested."),
    data: described(z.strictObject({ endpoint_id: text("The tested endpoint.") }), "What was tested."),
  }),
  "The body of a test message.",
);

export type WebhookTestEvent = z.infer<typeof webhookTestEventSchema>;
export type QuotaEvent = z.infer<typeof quotaEventSchema>;
export type EndpointView = z.infer<typeof endpointSchema>;
export type WebhookTestView = z.infer<typeof webhookTestSchema>;
export type WebhookView = z.infer<typeof webhookSchema>;
export type WebhookSecretView = z.infer<typeof webhookSecretSchema>;
