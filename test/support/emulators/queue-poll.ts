import { setTimeout as pause } from "node:timers/promises";
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";

export type QueueHandler = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** A queue and the handler of its messages. */
export interface EventSource {
  readonly url: string;
  readonly handler: QueueHandler;
}

const PAUSE_MS = 200;

/**
 * How long a request waits for a message. If the process is killed, the emulator still gives a message to each waiting
 * request, so tests that kill it set a short time.
 */
const WAIT_SECONDS = Number(process.env.QUEUE_WAIT_SECONDS ?? 10);

/**
 * Receives one message at a time, passes it to the handler, and deletes it unless the handler reports it as failed.
 * Like the event sources of Lambda, it continues if the queue is unreachable.
 *
 * @param stop ends it. @default never
 */
export const poll = async (sqs: SQSClient, source: EventSource, stop?: AbortSignal) => {
  const isStopped = (): boolean => stop?.aborted === true;
  while (!isStopped()) {
    try {
      await takeOne(sqs, source, stop);
    } catch (error) {
      if (!isStopped()) {
        console.error(error);
        await pause(PAUSE_MS);
      }
    }
  }
};

const takeOne = async (
  sqs: SQSClient,
  { url: QueueUrl, handler }: EventSource,
  abortSignal: AbortSignal | undefined,
): Promise<void> => {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 1,
      WaitTimeSeconds: WAIT_SECONDS,
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    }),
    { ...(abortSignal && { abortSignal }) },
  );
  for (const message of Messages) {
    const record = {
      messageId: message.MessageId ?? "",
      body: message.Body ?? "",
      receiptHandle: message.ReceiptHandle ?? "",
      eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${new URL(QueueUrl).pathname.split("/").pop()}`,
      attributes: message.Attributes ?? {},
    } as unknown as SQSEvent["Records"][number];
    const { batchItemFailures } = await handler({ Records: [record] });
    if (batchItemFailures.length === 0) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
    }
  }
};
