import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import "aws-sdk-client-mock-vitest/extend";
import { beforeEach, describe, expect, it } from "vitest";
import { sqsTasks } from "../../functions/adapters/sqs/tasks.ts";

const client = new SQSClient({});
const calls = mockClient(client);
const urls = {
  imports: "https://sqs/imports",
  checks: "https://sqs/checks",
  webhooks: "https://sqs/webhooks",
  exports: "https://sqs/exports",
  erasures: "https://sqs/erasures",
};
const tasks = sqsTasks(client, urls);
const upload = { id: "upl_1", accountId: "acc_1" };

beforeEach(() => {
  calls.reset();
  calls.on(SendMessageCommand).resolves({});
});

describe("tasks in SQS", () => {
  it.each([
    ["imports", "import", () => tasks.importUpload(upload)],
    ["checks", "check", () => tasks.checkUpload(upload)],
    ["webhooks", "webhook", () => tasks.deliver(upload, 0)],
    ["exports", "export", () => tasks.export(upload, 0)],
  ] as const)("have a queue for %s, with the account as message group", async (queue, kind, send) => {
    await send();
    expect(calls).toHaveReceivedCommandExactlyOnceWith(SendMessageCommand, {
      QueueUrl: urls[queue],
      MessageBody: `{"id":"upl_1","account_id":"acc_1","kind":"${kind}"}`,
      MessageGroupId: "acc_1",
      DelaySeconds: 0,
    });
  });

  it("are delivered again after some seconds by their receipt", async () => {
    calls.on(ChangeMessageVisibilityCommand).resolves({});
    const queue = "arn:aws:sqs:eu-central-1:123456789012:anyform-imports";
    await tasks.redeliver({ queue, receipt: "receipt" }, 5_000);
    expect(calls).toHaveReceivedCommandExactlyOnceWith(ChangeMessageVisibilityCommand, {
      QueueUrl: "https://sqs.eu-central-1.amazonaws.com/123456789012/anyform-imports",
      ReceiptHandle: "receipt",
      VisibilityTimeout: 5,
    });
  });

  it("are delayed by whole seconds, at most 15 minutes", async () => {
    await tasks.deliver(upload, 1_001);
    await tasks.erase("job_1", 3_600_000);
    const delays = calls.commandCalls(SendMessageCommand).map(({ args }) => args[0].input.DelaySeconds);
    expect(delays).toEqual([2, 900]);
  });
});
