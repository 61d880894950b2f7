import { setTimeout } from "node:timers/promises";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { sqsClient } from "../../functions/adapters/clients.ts";
import { sqsQueue } from "../../functions/adapters/sqs-queue.ts";
import { useEmulators } from "../support/emulator-suite.ts";
import { RECEIVES_MAX } from "../support/emulators.ts";
import { jobQueueContract } from "./contract/job-queue.ts";

const emulators = useEmulators({ visibilitySeconds: 1 });

jobQueueContract("SQS", async () => {
  const { url, deadLetterUrl } = await emulators().freshQueue();
  const client = sqsClient(true);
  return {
    queue: sqsQueue(client, { fast: url }),
    receivesMax: RECEIVES_MAX,
    receive: () => receive(client, url),
    acknowledge: async (handle) => {
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: handle }));
    },
    returnNow: async (handle) => {
      await client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: handle, VisibilityTimeout: 0 }),
      );
    },
    lapse: () => setTimeout(1_100),
    deadLetters: async () => {
      const received = await receive(client, deadLetterUrl);
      return received === undefined ? [] : [received.message];
    },
    close: async () => client.destroy(),
  };
});

const receive = async (client: SQSClient, url: string) => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: url, MessageSystemAttributeNames: ["ApproximateReceiveCount"] }),
  );
  const [message] = Messages;
  if (message === undefined) {
    return undefined;
  }
  const { job_id: jobId, account_id: accountId } = JSON.parse(message.Body ?? "");
  return {
    handle: message.ReceiptHandle ?? "",
    message: { jobId, accountId },
    receiveCount: Number(message.Attributes?.ApproximateReceiveCount),
  };
};
