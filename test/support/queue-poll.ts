import { setTimeout as pause } from "node:timers/promises";
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** A queue and who takes its messages. */
export interface EventSource {
  readonly url: string;
  readonly handler: QueueHandler;
}

const PAUSE_MS = 200;

/**
 * Reads one message after the other, hands it to the handler, and deletes what the handler does not report as failed. As
 * the event sources of Lambda do, it goes on when the queue could not be reached.
 */
export const poll = async (sqs: SQSClient, { url: QueueUrl, handler }: EventSource, stopped: () => boolean) => {
  while (!stopped()) {
    try {
      await takeOne(sqs, QueueUrl, handler);
    } catch (error) {
      if (!stopped()) {
        console.error(error);
        await pause(PAUSE_MS);
      }
    }
  }
};

const takeOne = async (sqs: SQSClient, QueueUrl: string, handler: QueueHandler): Promise<void> => {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1, WaitTimeSeconds: 1 }),
  );
  for (const message of Messages) {
    const record = { messageId: message.MessageId ?? "", body: message.Body ?? "" } as SQSEvent["Records"][number];
    const { batchItemFailures } = await handler({ Records: [record] });
    if (batchItemFailures.length === 0) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
    }
  }
};
