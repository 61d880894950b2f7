import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { id, next, orNull, text, time } from "../fields.ts";
import { jobSchema } from "../jobs/job-views.ts";
import { pipelineSchema } from "../pipelines/pipeline-views.ts";
import { webhookTypes } from "./webhook.ts";

/** Webhook messages as the API returns and sends them: see uploads/upload-views.ts. */

const webhookType = () => described(z.enum(webhookTypes), "The type of event.");

export const webhookSchema = described(
  z.strictObject({
    id: id("msg", "Message ID, sent as `webhook-id` with every attempt."),
    job_id: text("ID of the job, or of the pipeline."),
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

export const webhookSecretSchema = described(
  z.strictObject({
    secrets: described(
      z.array(
        z.strictObject({
          secret: text("`whsec_` and the base64 key, as Standard Webhooks libraries expect it."),
          created_at: time("When the secret was created."),
          expires_at: orNull(time("When a rotated secret expires. Null for the current one.")),
        }),
      ),
      "Secrets, newest first. Each one signs every message.",
    ),
  }),
  "The signing secrets of webhooks.",
);

export const webhookEventSchema = described(
  z.strictObject({
    type: described(z.enum(webhookTypes.slice(0, 3)), "The type of event."),
    timestamp: time("When the job ended."),
    data: jobSchema,
  }),
  "The body of a webhook message about a job.",
);

export const pipelineEventSchema = described(
  z.strictObject({
    type: described(z.enum(webhookTypes.slice(3)), "The type of event."),
    timestamp: time("When the last step ended."),
    data: pipelineSchema,
  }),
  "The body of a webhook message about a pipeline.",
);

export type WebhookView = z.infer<typeof webhookSchema>;
export type WebhookSecretView = z.infer<typeof webhookSecretSchema>;
