import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import "aws-sdk-client-mock-vitest/extend";
import { describe, expect, it } from "vitest";
import { dynamoAccounts } from "../../../functions/adapters/dynamo/accounts.ts";
import { dynamoJobs } from "../../../functions/adapters/dynamo/jobs/jobs.ts";
import { dynamoKeyUses } from "../../../functions/adapters/dynamo/key-uses.ts";
import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import { dynamoSessions } from "../../../functions/adapters/dynamo/sessions.ts";
import { dynamoUploads } from "../../../functions/adapters/dynamo/uploads.ts";
import { JOB_ATTEMPTS_MAX } from "../../../functions/domain/limits.ts";
import { completedOutcome, jobRecord, NOW } from "../../support/world/records.ts";
import { AS_SEEN, calls, dynamo, jobItem, useRecordedDynamo } from "./recorded-dynamo.ts";

useRecordedDynamo();

describe("a transition", () => {
  const lapsed = jobItem.dueAt + 1;
  const conditionFailed = () => new ConditionalCheckFailedException({ message: "The condition failed", $metadata: {} });

  it("that claims a job is one read, and one write on the condition that the job is unchanged", async () => {
    calls.on(GetCommand).resolves({ Item: jobItem });
    calls.on(UpdateCommand).resolves({ Attributes: {} });
    const claimed = await dynamoJobs(dynamo).claim("job_1", lapsed);
    expect(claimed).toMatchObject({ id: "job_1", status: "processing", attempt: 3, startedAt: lapsed });
    expect(calls.calls()).toHaveLength(2);
    expect(calls.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      Key: { pk: "job_1" },
      UpdateExpression: "SET #status = :status, #attempt = :attempt, #dueAt = :dueAt, #startedAt = :startedAt",
      ConditionExpression: AS_SEEN,
      ExpressionAttributeValues: {
        ":seenStatus": "processing",
        ":seenAttempt": 2,
        ":attempt": 3,
        ":startedAt": lapsed,
      },
    });
  });

  it("of the attempt that holds the job is one write, without a read", async () => {
    calls.on(UpdateCommand).resolves({ Attributes: {} });
    await dynamoJobs(dynamo).progress("job_1", 2, 40);
    expect(await dynamoJobs(dynamo).release("job_1", 2, NOW)).toBe(true);
    expect(calls.calls()).toHaveLength(2);
    for (const { args } of calls.commandCalls(UpdateCommand)) {
      expect(args[0].input).toMatchObject({
        ConditionExpression: "#status = :seenStatus AND #attempt = :seenAttempt",
        ExpressionAttributeValues: { ":seenStatus": "processing", ":seenAttempt": 2 },
      });
    }
  });

  it("that loses a race is decided again from the current job", async () => {
    const taken = { ...jobItem, attempt: 3, dueAt: lapsed + 60_000 };
    calls.on(GetCommand).resolvesOnce({ Item: jobItem }).resolves({ Item: taken });
    calls.on(UpdateCommand).rejectsOnce(conditionFailed()).resolves({ Attributes: {} });
    expect(await dynamoJobs(dynamo).claim("job_1", lapsed)).toBeUndefined();
    expect(calls).toHaveReceivedCommandTimes(UpdateCommand, 1);
  });

  it("that loses every race fails with a retry time", async () => {
    calls.on(GetCommand).resolves({ Item: jobItem });
    calls.on(UpdateCommand).rejects(conditionFailed());
    await expect(dynamoJobs(dynamo).claim("job_1", lapsed)).rejects.toMatchObject({
      code: "temporarily_unavailable",
      extra: { headers: { "retry-after": "5" } },
    });
    expect(calls).toHaveReceivedCommandTimes(UpdateCommand, JOB_ATTEMPTS_MAX + 2);
  });

  it("that expires a result checks that its expiry is unchanged", async () => {
    const { result } = completedOutcome("job_1", 2);
    calls.on(GetCommand).resolves({ Item: { ...jobItem, status: "completed", result } });
    calls.on(UpdateCommand).resolves({ Attributes: {} });
    await dynamoJobs(dynamo).expireResult("job_1", NOW);
    expect(calls.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      ConditionExpression: `${AS_SEEN} AND #result.#expiresAt = :seenExpiresAt`,
      ExpressionAttributeValues: { ":seenExpiresAt": result.expiresAt, ":result": { ...result, expiresAt: NOW } },
    });
  });
});

describe("reads", () => {
  it.each([
    ["a job", () => dynamoJobs(dynamo).getJob("job_1")],
    ["a token", () => dynamoJobs(dynamo).findByToken("dl_1")],
    ["an upload", () => dynamoUploads(dynamo).getUpload("upl_1")],
    ["an account", () => dynamoAccounts(dynamo).getAccount("acc_1")],
    ["an API key", () => dynamoAccounts(dynamo).findKey("00ff")],
    ["an address", () => dynamoAccounts(dynamo).findByEmail("ada@example.com")],
    ["the use of a key", () => dynamoKeyUses(dynamo).of("acc_1", ["key_1"])],
    ["a session", () => dynamoSessions(dynamo).findSession("00ff")],
    ["a passkey", () => dynamoSessions(dynamo).findPasskey("AAEC")],
    ["what signs sessions", () => dynamoSessions(dynamo).signingKeys()],
  ])("are consistent for %s", async (_what, read) => {
    calls.on(GetCommand).resolves({});
    await read();
    const reads = calls.commandCalls(GetCommand).map(({ args }) => args[0].input.ConsistentRead);
    expect(reads).toEqual([true]);
  });

  it.each([
    ["a count", () => dynamoQuotas(dynamo).used("acc_1", "2026-11")],
    ["the counts of days", () => dynamoQuotas(dynamo).useOf("acc_1", "2026-11")],
  ])("are one consistent query for %s", async (_what, read) => {
    calls.on(QueryCommand).resolves({});
    await read();
    expect(calls.calls()).toHaveLength(1);
    expect(calls.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      ConsistentRead: true,
      ExpressionAttributeValues: { ":accountId": "acc_1", ":month": "2026-11" },
    });
  });

  it("resolve a token to its job, consistently", async () => {
    const { id: _, ...job } = jobRecord();
    calls.on(GetCommand, { Key: { pk: "dl_1" } }).resolves({ Item: { pk: "dl_1", kind: "token", job: "job_1" } });
    calls
      .on(GetCommand, { Key: { pk: "job_1" } })
      .resolves({ Item: { ...job, pk: "job_1", kind: "job", id: "job_1" } });
    expect(await dynamoJobs(dynamo).findByToken("dl_1")).toStrictEqual({ ...job, id: "job_1" });
    expect(calls.commandCalls(GetCommand).every(({ args }) => args[0].input.ConsistentRead)).toBe(true);
  });

  it.each([
    ["an empty id", ""],
    ["an ID longer than the maximum key length", "é".repeat(1_025)],
  ])("find nothing under %s, without a request", async (_what, id) => {
    expect(await dynamoJobs(dynamo).getJob(id)).toBeUndefined();
    expect(await dynamoUploads(dynamo).getUpload(id)).toBeUndefined();
    expect(calls.calls()).toHaveLength(0);
  });
});
