import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { LaneId } from "../../domain/conversions/lanes.ts";
import type { JobQueue } from "../../domain/ports.ts";

/** One standard queue per lane. With the account as message group, SQS prevents one account from delaying others. */
export const sqsQueue = (client: SQSClient, queueUrls: Readonly<Record<LaneId, string>>): JobQueue => ({
  send: async (lane, { jobId, accountId }) => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrls[lane],
        MessageBody: JSON.stringify({ job_id: jobId, account_id: accountId, lane }),
        MessageGroupId: accountId,
      }),
    );
  },
});
