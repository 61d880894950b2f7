import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { LaneId } from "../../domain/conversions/lanes.ts";
import type { LaneLoad } from "../../domain/operators/operating.ts";

/** @returns the approximate numbers of messages in the queue of each lane, as SQS counts them */
export const sqsLaneLoads = (
  client: SQSClient,
  queueUrls: Readonly<Partial<Record<LaneId, string>>>,
  lanes: readonly LaneId[],
): Promise<readonly LaneLoad[]> =>
  Promise.all(
    lanes.map(async (lane) => {
      const { Attributes: attributes = {} } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrls[lane],
          AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
        }),
      );
      const waiting = Number(attributes.ApproximateNumberOfMessages ?? 0);
      return { lane, waiting, active: Number(attributes.ApproximateNumberOfMessagesNotVisible ?? 0) };
    }),
  );
