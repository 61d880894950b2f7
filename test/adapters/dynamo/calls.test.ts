import {
  ResourceNotFoundException,
  TransactionConflictException,
  TransactionInProgressException,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import "aws-sdk-client-mock-vitest/extend";
import { describe, expect, it } from "vitest";
import { dynamoJobs } from "../../../functions/adapters/dynamo/jobs/jobs.ts";
import { dynamoKeyUses } from "../../../functions/adapters/dynamo/key-uses.ts";
import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import { dynamoUploads } from "../../../functions/adapters/dynamo/uploads.ts";
import { pauseMsMax } from "../../../functions/adapters/dynamo/writes.ts";
import {
  CONFLICT_PAUSE_MS_MAX,
  CONFLICT_TRIES_MAX,
  KEY_USES_REMEMBERED_MAX,
} from "../../../functions/domain/limits.ts";
import {
  completedOutcome,
  failedRecord,
  idempotencyRecord,
  jobRecord,
  NOW,
  quotaRecord,
  uploadRecord,
} from "../../support/world/records.ts";
import {
  AS_SEEN,
  calls,
  conflict,
  dynamo,
  jobItem,
  pauses,
  transactions,
  useRecordedDynamo,
} from "./recorded-dynamo.ts";

useRecordedDynamo();

describe("a new job", () => {
  it("is one transaction: the job if absent, the request if within the quota, the key if absent or expired", async () => {
    calls.on(TransactWriteCommand).resolves({});
    const job = jobRecord();
    const idempotency = idempotencyRecord();
    await dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 100), idempotency);
    expect(calls.calls()).toHaveLength(1);
    const { TransactItems = [], ClientRequestToken } = transactions()[0] ?? {};
    expect(ClientRequestToken).toMatch(/^[0-9a-f-]{36}$/);
    expect(TransactItems).toHaveLength(3);
    expect(TransactItems[0]?.Put).toMatchObject({
      TableName: "the-jobs",
      Item: { ...job, pk: job.id, kind: "job", jobId: job.id, ttl: job.recordExpiresAt / 1_000 },
      ConditionExpression: "attribute_not_exists(pk)",
    });
    expect(TransactItems[2]?.Update).toEqual({
      TableName: "the-quotas",
      Key: { accountId: job.accountId, period: "2026-11" },
      UpdateExpression: "SET #ttl = :ttl ADD #20c :one, #used :one",
      ConditionExpression: "attribute_not_exists(#used) OR #used <= :max",
      ExpressionAttributeNames: { "#used": "used", "#20c": "20c", "#ttl": "ttl" },
      // Two years after the end of the month.
      ExpressionAttributeValues: { ":one": 1, ":max": 99, ":ttl": Date.UTC(2028, 11, 1) / 1_000 },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    expect(TransactItems[1]?.Put).toMatchObject({
      TableName: "the-jobs",
      Item: { pk: `idem#${idempotency.key}`, record: job.id, requestHash: idempotency.requestHash },
      ConditionExpression: "attribute_not_exists(pk) OR expiresAt <= :now",
      ExpressionAttributeValues: { ":now": job.createdAt },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
  });

  it("is retried when it conflicts with another one", async () => {
    calls.on(TransactWriteCommand).rejectsOnce(conflict()).rejectsOnce(conflict("ThrottlingError")).resolves({});
    const job = jobRecord();
    const creation = await dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 100));
    expect(creation).toEqual({ outcome: "created" });
    expect(pauses).toEqual([1, 2]);
    expect(new Set(transactions().map(({ TransactItems }) => JSON.stringify(TransactItems))).size).toBe(1);
  });

  it("is repeated as the same transaction while that is still in progress, also with a large quota", async () => {
    const inProgress = new TransactionInProgressException({ Message: "In progress", message: "", $metadata: {} });
    calls.on(TransactWriteCommand).rejectsOnce(inProgress).resolves({});
    const job = jobRecord();
    await dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 1_000_000));
    const [first, second] = transactions();
    expect(second).toEqual(first);
  });

  it("with a large quota is counted in a shard, which its record names, and after a conflict in any shard", async () => {
    calls.on(TransactWriteCommand).rejectsOnce(conflict()).resolves({});
    const job = jobRecord();
    await dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 1_000_000));
    const tokens = new Set(transactions().map(({ ClientRequestToken }) => ClientRequestToken));
    expect(tokens.size).toBe(2);
    for (const { TransactItems = [] } of transactions()) {
      const [put, count] = TransactItems;
      const shard = String(put?.Put?.Item?.quotaShard).padStart(2, "0");
      expect(count?.Update).toMatchObject({
        Key: { accountId: job.accountId, period: `2026-11#${shard}` },
        UpdateExpression: "SET #ttl = :ttl ADD #20c :one, #used :one",
        ConditionExpression: "#limit = :limit AND #used < #granted",
      });
    }
  });

  it("fails with a retry time when every attempt conflicts", async () => {
    calls.on(TransactWriteCommand).rejects(conflict());
    const job = jobRecord();
    const creating = dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 100));
    await expect(creating).rejects.toMatchObject({
      code: "temporarily_unavailable",
      extra: { headers: { "retry-after": "5" } },
    });
    expect(calls).toHaveReceivedCommandTimes(TransactWriteCommand, CONFLICT_TRIES_MAX);
    expect(pauses).toHaveLength(CONFLICT_TRIES_MAX - 1);
  });

  it("fails immediately on other errors", async () => {
    calls.on(TransactWriteCommand).rejects(new ResourceNotFoundException({ message: "No table", $metadata: {} }));
    const job = jobRecord();
    await expect(dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 100))).rejects.toThrow("No table");
    expect(calls).toHaveReceivedCommandTimes(TransactWriteCommand, 1);
  });
});

describe("other writes", () => {
  it("add an upload and count its request in one transaction, retried on a conflict", async () => {
    calls.on(TransactWriteCommand).rejectsOnce(conflict()).resolves({});
    const upload = uploadRecord();
    await dynamoUploads(dynamo).createUpload(upload, { ...quotaRecord(upload.accountId, 100), kind: "upload" });
    expect(transactions()).toHaveLength(2);
    expect(transactions()[1]?.TransactItems).toMatchObject([
      { Put: { Item: { ...upload, pk: upload.id }, ConditionExpression: "attribute_not_exists(pk)" } },
      { Update: { TableName: "the-quotas", UpdateExpression: "SET #ttl = :ttl ADD #20u :one, #used :one" } },
    ]);
  });

  it("count a request again after a conflicting transaction ends", async () => {
    const met = new TransactionConflictException({ message: "Transaction is ongoing for the item", $metadata: {} });
    calls.on(TransactWriteCommand).rejectsOnce(met).resolves({});
    expect(await dynamoQuotas(dynamo).take(quotaRecord("acc_1", 100))).toBe(true);
    expect(pauses).toEqual([1]);
  });

  it("complete a job, map its token to it and count it in one transaction, which removes it from the sweeper's index", async () => {
    calls.on(TransactWriteCommand).resolves({});
    calls.on(GetCommand).resolves({ Item: jobItem });
    const outcome = completedOutcome("job_1", 2);
    expect(await dynamoJobs(dynamo).finish("job_1", 2, outcome, NOW)).toBe(true);
    expect(transactions()).toHaveLength(1);
    expect(transactions()[0]?.TransactItems).toMatchObject([
      {
        Update: {
          Key: { pk: "job_1" },
          UpdateExpression: expect.stringMatching(/^SET .* REMOVE #shard$/),
          ConditionExpression: AS_SEEN,
          ExpressionAttributeValues: {
            ":seenStatus": "processing",
            ":seenAttempt": 2,
            ":seenDueAt": jobItem.dueAt,
            ":status": "completed",
            ":result": outcome.result,
          },
        },
      },
      { Put: { Item: { pk: outcome.result.token, kind: "token", job: "job_1" } } },
      { Update: { Key: { accountId: "acc_1", period: "2026-11" }, UpdateExpression: "SET #ttl = :ttl ADD #20s :one" } },
      {
        Update: {
          Key: { accountId: "use#acc_1", period: expect.stringMatching(/^2026-11#20#.*#completed#$/) },
          UpdateExpression: "SET #ttl = :ttl ADD #jobs :one, #bytesIn :in, #bytesOut :out",
        },
      },
    ]);
    const [end] = transactions()[0]?.TransactItems ?? [];
    expect(end?.Update?.ExpressionAttributeValues?.[":options"]).toStrictEqual({ quality: 80 });
  });

  it("complete a job without its count when the count keeps conflicting, rather than convert the file again", async () => {
    calls.on(GetCommand).resolves({ Item: jobItem });
    calls.on(TransactWriteCommand).callsFake(({ TransactItems }) => {
      if (TransactItems.length > 2) {
        throw conflict();
      }
      return {};
    });
    expect(await dynamoJobs(dynamo).finish("job_1", 2, completedOutcome("job_1", 2), NOW)).toBe(true);
    expect(transactions()).toHaveLength(CONFLICT_TRIES_MAX + 1);
    expect(transactions().at(-1)?.TransactItems).toHaveLength(2);
  });

  it("refund a request and count the failure in one update of the month's record", async () => {
    calls.on(TransactWriteCommand).resolves({});
    calls.on(GetCommand).resolves({ Item: jobItem });
    expect(await dynamoJobs(dynamo).finish("job_1", 2, failedRecord(true), NOW)).toBe(true);
    expect(transactions()[0]?.TransactItems).toMatchObject([
      { Update: { Key: { pk: "job_1" } } },
      {
        Update: {
          Key: { accountId: "acc_1", period: "2026-11" },
          UpdateExpression: "SET #ttl = :ttl ADD #20f :one, #used :minusOne",
          ConditionExpression: "#used > :zero",
        },
      },
      { Update: { Key: { accountId: "use#acc_1", period: expect.stringMatching(/#engine_crashed#$/) } } },
    ]);
  });

  it("end a job in the shard that counted it", async () => {
    calls.on(TransactWriteCommand).resolves({});
    calls.on(GetCommand).resolves({ Item: { ...jobItem, quotaShard: 7 } });
    expect(await dynamoJobs(dynamo).finish("job_1", 2, failedRecord(true), NOW)).toBe(true);
    expect(transactions()[0]?.TransactItems?.[1]).toMatchObject({
      Update: {
        Key: { accountId: "acc_1", period: "2026-11#07" },
        UpdateExpression: "SET #ttl = :ttl ADD #20f :one, #used :minusOne",
        ConditionExpression: "attribute_exists(#limit) AND #used > :zero",
      },
    });
  });

  it("record the use of a key once per minute in each process", async () => {
    calls.on(UpdateCommand).resolves({});
    const [uses, others] = [dynamoKeyUses(dynamo), dynamoKeyUses(dynamo)];
    for (const after of [0, 1, 59_999, 60_000, 61_000, 30_000]) {
      await uses.note("acc_1", "key_1", NOW + after);
    }
    expect(calls).toHaveReceivedCommandTimes(UpdateCommand, 2);
    await others.note("acc_1", "key_1", NOW + 60_000);
    await uses.note("acc_1", "key_2", NOW);
    expect(calls).toHaveReceivedCommandTimes(UpdateCommand, 4);
    expect(calls.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      Key: { accountId: "acc_1", period: "key#key_1" },
      ConditionExpression: "attribute_not_exists(#usedAt) OR #usedAt < :usedAt",
      ExpressionAttributeValues: { ":usedAt": NOW },
    });
  });

  it("remember only the latest uses, up to a limit", async () => {
    calls.on(UpdateCommand).resolves({});
    const uses = dynamoKeyUses(dynamo);
    for (let index = 0; index <= KEY_USES_REMEMBERED_MAX; index += 1) {
      await uses.note("acc_1", `key_${index}`, NOW);
    }
    calls.resetHistory();
    await uses.note("acc_1", "key_1", NOW + 1);
    expect(calls).toHaveReceivedCommandTimes(UpdateCommand, 0);
    await uses.note("acc_1", "key_0", NOW + 1);
    expect(calls).toHaveReceivedCommandTimes(UpdateCommand, 1);
  });

  it("back off exponentially up to a limit", () => {
    expect([1, 2, 3].map(pauseMsMax)).toEqual([25, 50, 100]);
    expect(pauseMsMax(CONFLICT_TRIES_MAX)).toBe(CONFLICT_PAUSE_MS_MAX);
  });
});
