import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dynamoJobs } from "../../functions/adapters/dynamo/jobs/jobs.ts";
import { dynamoQuotas } from "../../functions/adapters/dynamo/quotas/quotas.ts";
import { newId } from "../../functions/domain/ids.ts";
import { startProxy, type TroubledProxy } from "../chaos/proxy.ts";
import { emptyDynamo, useEmulators } from "../support/emulators/emulator-suite.ts";
import { completedOutcome, failedRecord, jobRecord, NOW, quotaRecord } from "../support/world/records.ts";

/** DynamoDB applies a write and the connection closes before the response, so the SDK retries. */
describe("a write whose response is lost", () => {
  const emulators = useEmulators();
  let proxy: TroubledProxy;
  let client: DynamoDBDocumentClient;
  let lost: number;
  let dynamo: Awaited<ReturnType<typeof emptyDynamo>>;

  beforeEach(async () => {
    lost = 0;
    const once = { below: () => 0, chance: () => lost-- > 0, pick: <Item>([first]: readonly Item[]) => first as Item };
    proxy = await startProxy(emulators().environment.AWS_ENDPOINT_URL_DYNAMODB ?? "", once);
    const credentials = { accessKeyId: "id", secretAccessKey: "secret" };
    client = DynamoDBDocumentClient.from(
      new DynamoDBClient({ region: "us-east-1", endpoint: proxy.url, credentials }),
      {
        marshallOptions: { removeUndefinedValues: true },
      },
    );
    dynamo = { ...(await emptyDynamo(emulators())), client };
  });
  afterEach(async () => {
    client.destroy();
    await proxy.close();
  });

  /** Drops the response to the next operation of this kind. */
  const loseNext = (operation: string): void => {
    lost = 1;
    proxy.trouble("cut after", 1, operation);
  };

  const accepted = async () => {
    const id = newId("job", NOW, randomBytes);
    const job = { ...jobRecord(), id };
    await dynamoQuotas(dynamo).take(quotaRecord(job.accountId, 100));
    await dynamoJobs(dynamo).createJob(job, quotaRecord(job.accountId, 100));
    return job;
  };

  it("counts a download once", async () => {
    const quotas = dynamoQuotas(dynamo);
    loseNext("TransactWriteItems");
    expect(await quotas.take(quotaRecord("acc_1", 100))).toBe(true);
    expect(proxy.troubled.get("cut after")).toBe(1);
    expect(await quotas.used("acc_1", "2026-11")).toBe(1);
  });

  it("counts a download of an account with a large quota once", async () => {
    const quotas = dynamoQuotas(dynamo);
    await quotas.take(quotaRecord("acc_1", 1_000_000));
    loseNext("TransactWriteItems");
    expect(await quotas.take(quotaRecord("acc_1", 1_000_000))).toBe(true);
    expect(proxy.troubled.get("cut after")).toBe(1);
    expect(await quotas.used("acc_1", "2026-11")).toBe(2);
  });

  it("allows the last request of a month", async () => {
    const quotas = dynamoQuotas(dynamo);
    loseNext("TransactWriteItems");
    expect(await quotas.take(quotaRecord("acc_1", 1))).toBe(true);
    expect(await quotas.take(quotaRecord("acc_1", 1))).toBe(false);
  });

  it("cancels a job, and reports that this request cancelled it", async () => {
    const [jobs, job] = [dynamoJobs(dynamo), await accepted()];
    loseNext("TransactWriteItems");
    expect(await jobs.cancel(job.id, NOW + 5)).toEqual(job);
    expect(proxy.troubled.get("cut after")).toBe(1);
    expect(await jobs.cancel(job.id, NOW + 6)).toBeUndefined();
  });

  it("ends a job once, with its result or with its request refunded", async () => {
    const [jobs, quotas] = [dynamoJobs(dynamo), dynamoQuotas(dynamo)];
    const [done, failed] = [await accepted(), await accepted()];
    await jobs.claim(done.id, NOW);
    await jobs.claim(failed.id, NOW);
    loseNext("TransactWriteItems");
    expect(await jobs.finish(done.id, 1, completedOutcome(done.id, 1), NOW)).toBe(true);
    const used = await quotas.used(failed.accountId, "2026-11");
    loseNext("TransactWriteItems");
    await jobs.finish(failed.id, 1, failedRecord(true), NOW);
    expect((await jobs.getJob(failed.id))?.status).toBe("failed");
    expect(await quotas.used(failed.accountId, "2026-11")).toBe(used - 1);
  });
});
