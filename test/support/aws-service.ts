import { once } from "node:events";
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { context } from "../../functions/context.ts";
import { laneIds } from "../../functions/domain/lanes.ts";
import { handler as convertFile } from "../../functions/events/convert-file.ts";
import { gateway } from "../../local/gateway.ts";

/**
 * The Lambda handlers as a deployment runs them, in one process: API Gateway is the local gateway with bodies inside of
 * events, the event source is a loop that reads the queue. Adapters, tables, bucket and queue are those of AWS, over the
 * emulators that the environment names. Run without the condition that makes the handlers local.
 */

const MESSAGES_AT_ONCE = 2;

const server = await gateway({ body: "event", onError: (error) => console.error(error) });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();

const queueUrls = laneIds.map((lane) => process.env[`ANYFORM_QUEUE_URL_${lane.toUpperCase()}`] ?? "");
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
let stopped = false;

/** Reads one message after the other, hands it to the handler, and deletes what the handler does not report as failed. */
const poll = async (QueueUrl: string, handler: (event: SQSEvent) => Promise<SQSBatchResponse>): Promise<void> => {
  while (!stopped) {
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
  }
};

const polls = queueUrls.flatMap((url) => Array.from({ length: MESSAGES_AT_ONCE }, () => poll(url, convertFile)));
process.once("SIGTERM", async () => {
  stopped = true;
  server.close();
  server.closeAllConnections();
  await Promise.allSettled(polls);
  process.exit(0);
});
context();
console.log(`The handlers listens on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
