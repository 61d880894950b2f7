import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Config } from "../../config.ts";
import type { TaskKind, TaskQueue, TaskSubject } from "../../domain/task-ports.ts";

/** Maximum delay of a message in SQS, in seconds. */
const DELAY_SECONDS_MAX = 900;

/**
 * One standard queue per kind of task. With the account as message group, SQS prevents one account from delaying others
 * (Amazon SQS Developer Guide, "Fair queues").
 */
export const sqsTasks = (client: SQSClient, urls: Config["taskUrls"]): TaskQueue => {
  const send = async (url: string, inMs: number, body: object, group?: string): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: url,
        MessageBody: JSON.stringify(body),
        DelaySeconds: Math.min(DELAY_SECONDS_MAX, Math.ceil(inMs / 1_000)),
        ...(group !== undefined && { MessageGroupId: group }),
      }),
    );
  };
  const fair =
    (url: string, kind: TaskKind) =>
    ({ id, accountId }: TaskSubject, inMs = 0): Promise<void> =>
      send(url, inMs, { id, account_id: accountId, kind }, accountId);
  return {
    importUpload: fair(urls.imports, "import"),
    checkUpload: fair(urls.checks, "check"),
    deliver: fair(urls.webhooks, "webhook"),
    export: fair(urls.exports, "export"),
    erase: (id, inMs) => send(urls.erasures, inMs, { id }),
    redeliver: async ({ queue, receipt }, inMs) => {
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: urlOf(queue),
          ReceiptHandle: receipt,
          VisibilityTimeout: Math.ceil(inMs / 1_000),
        }),
      );
    },
  };
};

/** @param arn `arn:aws:sqs:REGION:ACCOUNT:NAME`; in China the partition is `aws-cn` */
const urlOf = (arn: string): string => {
  const [, partition, , region, account, name] = arn.split(":");
  const domain = partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com";
  return `https://sqs.${region}.${domain}/${account}/${name}`;
};
