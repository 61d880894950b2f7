import { DynamoDBClient, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach } from "vitest";
import { jobRecord } from "../../support/world/records.ts";

/** DynamoDB's client that records its calls, for tests of what is sent and of errors that no emulator returns. */

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: "us-east-1" }), {
  marshallOptions: { removeUndefinedValues: true },
});
export const calls = mockClient(client);
/** Milliseconds of each pause. */
export const pauses: number[] = [];
export const dynamo = {
  client,
  tables: { jobs: "the-jobs", keys: "the-keys", quotas: "the-quotas" },
  pause: async (number: number) => {
    pauses.push(number);
  },
};

/** Forgets all calls before each test of a file. */
export const useRecordedDynamo = (): void => {
  beforeEach(() => {
    calls.reset();
    pauses.length = 0;
  });
};

/** The job still has all attributes that its transitions depend on. */
export const AS_SEEN = "#status = :seenStatus AND #attempt = :seenAttempt AND #dueAt = :seenDueAt";

/** A job in its second attempt. */
export const jobItem = {
  ...jobRecord({
    id: "job_1",
    accountId: "acc_1",
    status: "processing",
    attempt: 2,
    options: { quality: 80, password: "secret" },
  }),
  pk: "job_1",
  kind: "job",
};

/** @returns the transactions that were sent */
export const transactions = () => calls.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input);

export const conflict = (code = "TransactionConflict") =>
  new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: {},
    CancellationReasons: [{ Code: "None" }, { Code: code }],
  });
