import "../support/services/aws-service.ts";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { readConfig } from "../../functions/config.ts";
import { laneIds } from "../../functions/domain/conversions/lanes.ts";
import { handler as announceEnd } from "../../functions/events/announce-end.ts";
import { handler as failJob } from "../../functions/events/fail-job.ts";
import { handler as failUpload } from "../../functions/events/fail-upload.ts";
import { handler as sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { type EventSource, poll } from "../support/emulators/queue-poll.ts";

/**
 * The Lambda handlers with everything else of a deployment except requests and queues: the dead-letter queues, the
 * schedule of the sweeper (which runs twice concurrently here), and the stream of the jobs table, which delivers every
 * end at least once, whatever happens to the process that wrote it.
 */

const SWEEP_MS = 3_000;
const STREAM_MS = 1_000;

const { queueUrls, taskUrls, jobsTable } = readConfig();
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

const deadLetters: readonly EventSource[] = [
  ...laneIds.map((lane) => ({ url: `${queueUrls[lane]}-dead`, handler: failJob })),
  { url: `${taskUrls.imports}-dead`, handler: failUpload },
  { url: `${taskUrls.checks}-dead`, handler: failUpload },
];
for (const source of deadLetters) {
  void poll(sqs, source);
}

const forever = async (milliseconds: number, task: () => Promise<unknown>): Promise<never> => {
  for (;;) {
    await pause(milliseconds);
    // Failures are retried in the next round, as the schedule and the stream do.
    await task().catch((error: unknown) => console.error(error));
  }
};

void forever(SWEEP_MS, () => Promise.all([sweepJobs(), sweepJobs()]));

/** The stream belongs to AWS: it bypasses the faults of the service. */
const table = new DynamoDBClient({ endpoint: process.env.CHAOS_DYNAMO ?? "" });
const announced = new Set<string>();

void forever(STREAM_MS, async () => {
  const ended = {
    TableName: jobsTable,
    ProjectionExpression: "pk",
    FilterExpression: "kind = :job AND attribute_exists(webhook) AND #status IN (:completed, :failed, :cancelled)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: Object.fromEntries(
      ["job", "completed", "failed", "cancelled"].map((word) => [`:${word}`, { S: word }]),
    ),
  };
  for await (const { Items = [] } of paginateScan({ client: table }, ended)) {
    for (const { pk } of Items) {
      const id = pk?.S ?? "";
      const record = { dynamodb: { Keys: { pk: { S: id } }, SequenceNumber: id } };
      if (!announced.has(id) && (await announceEnd({ Records: [record] })).batchItemFailures.length === 0) {
        announced.add(id);
      }
    }
  }
});
