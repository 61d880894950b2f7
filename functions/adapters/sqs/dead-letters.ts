import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { DeadLetters } from "../../domain/operators/operating.ts";

/** @returns the approximate number of messages in each dead-letter queue, including those that are being read */
export const sqsDeadLetters = (
  client: SQSClient,
  queueUrls: ReadonlyMap<string, string>,
): Promise<readonly DeadLetters[]> =>
  Promise.all(
    [...queueUrls].map(async ([queue, url]) => {
      const { Attributes: attributes = {} } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: url,
          AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
        }),
      );
      const { ApproximateNumberOfMessages: visible = 0, ApproximateNumberOfMessagesNotVisible: read = 0 } = attributes;
      return { queue, messages: Number(visible) + Number(read) };
    }),
  );
