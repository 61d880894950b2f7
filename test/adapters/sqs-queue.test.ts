import { setTimeout } from "node:timers/promises";
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import "aws-sdk-client-mock-vitest/extend";
import { expect, it } from "vitest";
import { sqsClient } from "../../functions/adapters/clients.ts";
import { sqsDeadLetters } from "../../functions/adapters/sqs/dead-letters.ts";
import { sqsLaneLoads } from "../../functions/adapters/sqs/lane-loads.ts";
import { sqsQueue } from "../../functions/adapters/sqs/queue.ts";
import { readConfig } from "../../functions/config.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { RECEIVES_MAX } from "../support/emulators/emulators.ts";
import { jobQueueContract } from "./contract/job-queue.ts";

const emulators = useEmulators({ visibilitySeconds: 1 });

/** @returns the queue of every lane at one address */
const everyLane = (url: string) => ({ fast: url, data: url, documents: url, media: url, web: url });

jobQueueContract("SQS", async () => {
  const { url, deadLetterUrl } = await emulators().freshQueue();
  const client = sqsClient(true);
  return {
    queue: sqsQueue(client, everyLane(url)),
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

it("groups messages by account, so that one account does not delay the others", async () => {
  const client = new SQSClient({});
  const calls = mockClient(client);
  calls.on(SendMessageCommand).resolves({});
  await sqsQueue(client, { ...everyLane("https://sqs/other"), fast: "https://sqs/fast" }).send("fast", {
    jobId: "job_1",
    accountId: "acc_1",
  });
  expect(calls).toHaveReceivedCommandExactlyOnceWith(SendMessageCommand, {
    QueueUrl: "https://sqs/fast",
    MessageBody: '{"job_id":"job_1","account_id":"acc_1","lane":"fast"}',
    MessageGroupId: "acc_1",
  });
});

it("uses the configured endpoint, whatever host the queue URL names", async () => {
  const { url } = await emulators().freshQueue();
  const client = sqsClient(readConfig().queueEndpoint);
  const elsewhere = `https://sqs.us-east-1.amazonaws.com${new URL(url).pathname}`;
  await sqsQueue(client, everyLane(elsewhere)).send("fast", { jobId: "job_1", accountId: "acc_1" });
  expect(await receive(client, url)).toMatchObject({ message: { jobId: "job_1", accountId: "acc_1" } });
  client.destroy();
});

const receive = async (client: SQSClient, url: string) => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: url, MessageSystemAttributeNames: ["ApproximateReceiveCount"] }),
  );
  const [message] = Messages;
  if (message === undefined) {
    return undefined;
  }
  const { job_id: jobId, account_id: accountId, lane } = JSON.parse(message.Body ?? "");
  return {
    handle: message.ReceiptHandle ?? "",
    message: { jobId, accountId, lane },
    receiveCount: Number(message.Attributes?.ApproximateReceiveCount),
  };
};

it("counts the messages of each lane that wait, and those that are being processed", async () => {
  const { url } = await emulators().freshQueue();
  const client = sqsClient(true);
  const queue = sqsQueue(client, everyLane(url));
  for (const jobId of ["job_1", "job_2", "job_3"]) {
    await queue.send("data", { jobId, accountId: "acc_1" });
  }
  await receive(client, url);
  expect(await sqsDeadLetters(client, new Map([["jobs", url]]))).toEqual([{ queue: "jobs", messages: 3 }]);
  expect(await sqsLaneLoads(client, { data: url }, ["data"])).toEqual([{ lane: "data", waiting: 2, active: 1 }]);
  client.destroy();
});
