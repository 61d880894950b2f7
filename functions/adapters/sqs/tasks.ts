import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { TaskQueue } from "../../domain/ports.ts";

/** The queues of background tasks. */
export interface TaskQueueUrls {
  readonly imports: string;
  readonly webhooks: string;
  readonly erasures: string;
}

/** Maximum delay of a message in SQS, in seconds. */
const DELAY_SECONDS_MAX = 900;

/** One standard queue per kind of task. */
export const sqsTasks = (client: SQSClient, urls: TaskQueueUrls): TaskQueue => {
  const send = async (url: string, id: string, inMs = 0): Promise<void> => {
    const DelaySeconds = Math.min(DELAY_SECONDS_MAX, Math.ceil(inMs / 1_000));
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: JSON.stringify({ id }), DelaySeconds }));
  };
  return {
    importUpload: (id) => send(urls.imports, id),
    deliver: (id, inMs) => send(urls.webhooks, id, inMs),
    erase: (id, inMs) => send(urls.erasures, id, inMs),
  };
};
