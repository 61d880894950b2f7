import { reference } from "./schemas.ts";

/** The messages that the service sends, for the document's `webhooks`. */

const headers = [
  {
    name: "webhook-id",
    description: "The same with every attempt of a message, so that one that comes twice can be told.",
    example: "msg_00GxPqjL0a1b2c3d4e5f6g",
  },
  { name: "webhook-timestamp", description: "Seconds since 1970 of this attempt.", example: "1795176013" },
  {
    name: "webhook-signature",
    description:
      "`v1,` and the base64 of HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the secret of the " +
      "account; two, with a space between, for 24 hours after the secret was replaced.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
].map((header) => ({ ...header, in: "header", required: true, schema: { type: "string" } }));

const answers = {
  "2XX": { description: "The message is taken." },
  "410": { description: "The webhook is gone: nothing more of this message is sent." },
  default: { description: "Anything else, a redirect too: the message is sent again." },
};

const DESCRIPTION =
  "Sent to the `webhook_url` of the job as [Standard Webhooks](https://www.standardwebhooks.com) has it: at once, and again " +
  "after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h until a 2xx answers within 15 seconds. It may come more than once.";

const messages = {
  "job.completed": { operation: "jobCompleted", summary: "A job is completed", example: "webhookCompleted" },
  "job.failed": { operation: "jobFailed", summary: "A job failed", example: "webhookFailed" },
  "job.cancelled": { operation: "jobCancelled", summary: "A job was cancelled", example: "webhookCancelled" },
} as const;

/** @returns what is sent to webhooks, by type */
export const webhooks = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(messages).map(([type, { operation, summary, example }]) => [
      type,
      { post: { operationId: operation, summary, ...operationOf(example) } },
    ]),
  );

const operationOf = (example: string) => ({
  description: DESCRIPTION,
  tags: ["Webhooks"],
  security: [],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: reference("WebhookEvent"),
        examples: { [example]: { $ref: `#/components/examples/${example}` } },
      },
    },
  },
  responses: answers,
});
