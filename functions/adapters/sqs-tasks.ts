import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { TaskQueue } from "../domain/ports.ts";

/** The queues of the work beside conversions. */
export interface TaskQueueUrls {
  readonly imports: string;
  readonly webhooks: string;
  readonly erasures: string;
}

/** Seconds that SQS can hold a message back. */
const DELAY_SECONDS_MAX = 900;

/** A standard queue for each kind of work. */
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
