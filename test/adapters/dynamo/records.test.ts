import { setTimeout } from "node:timers/promises";
import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, it } from "vitest";
import { dynamoAccounts } from "../../../functions/adapters/dynamo/accounts.ts";
import { dynamoAllowances } from "../../../functions/adapters/dynamo/allowances.ts";
import { dynamoJobs } from "../../../functions/adapters/dynamo/jobs/jobs.ts";
import { dynamoQuotas } from "../../../functions/adapters/dynamo/quotas/quotas.ts";
import type { Dynamo } from "../../../functions/adapters/dynamo/records.ts";
import { dynamoSessions } from "../../../functions/adapters/dynamo/sessions.ts";
import { dynamoUploads } from "../../../functions/adapters/dynamo/uploads.ts";
import { OVERDUE_SHARDS } from "../../../functions/domain/tables.ts";
import { challengeRecord, passkeyRecord, sessionRecord } from "../../support/browser/people.ts";
import { emptyDynamo, useEmulators } from "../../support/emulators/emulator-suite.ts";
import {
  accountRecord,
  completedOutcome,
  failedRecord,
  idempotencyRecord,
  jobRecord,
  NOW,
  quotaRecord,
  uploadRecord,
} from "../../support/world/records.ts";

const emulators = useEmulators();
let dynamo: Dynamo;

beforeEach(async () => {
  dynamo = await emptyDynamo(emulators());
  return () => dynamo.client.destroy();
});

it("returns no record of another kind, though kinds share a table and clients choose their keys", async () => {
  const [jobs, uploads, accounts] = [dynamoJobs(dynamo), dynamoUploads(dynamo), dynamoAccounts(dynamo)];
  const [job, upload, account] = [jobRecord(), uploadRecord(), accountRecord()];
  const idempotency = idempotencyRecord();
  const outcome = completedOutcome(job.id, 0);
  await jobs.createJob(job, quotaRecord(job.accountId, 1), idempotency);
  await jobs.finish(job.id, 0, outcome, NOW);
  await uploads.createUpload(upload, quotaRecord(upload.accountId, 1));
  await accounts.createAccount(account);
  for (const id of [upload.id, outcome.result.token, `idem#${idempotency.key}`]) {
    expect(await jobs.getJob(id)).toBeUndefined();
    expect(await jobs.claim(id, NOW)).toBeUndefined();
  }
  expect(await uploads.getUpload(job.id)).toBeUndefined();
  expect(await jobs.findByToken(job.id)).toBeUndefined();
  expect(await accounts.getAccount(`email#${account.email.toLowerCase()}`)).toBeUndefined();
  const sessions = dynamoSessions(dynamo);
  const [session, passkey, challenge] = [sessionRecord(), passkeyRecord(), challengeRecord()];
  await sessions.addSession(session);
  await sessions.addPasskey(passkey);
  await sessions.addChallenge(challenge);
  for (const id of [account.id, `session#${session.hash}`, `email#${account.email.toLowerCase()}`, "signing"]) {
    expect(await sessions.tryChallenge(id, 5)).toBeUndefined();
    expect(await sessions.endChallenge(id)).toBe(false);
    expect(await sessions.findSession(id)).toBeUndefined();
    expect(await sessions.findPasskey(id)).toBeUndefined();
  }
  expect(await accounts.getAccount(`session#${session.hash}`)).toBeUndefined();
  expect(await accounts.getAccount(challenge.id)).toBeUndefined();
  expect(await accounts.keysOf(session.accountId)).toEqual([]);
  expect(await accounts.setPlan(`email#${account.email.toLowerCase()}`, "api", undefined)).toBe(false);
});

it("reads a job of version 0.1 under current names", async () => {
  const jobs = dynamoJobs(dynamo);
  const steps = [{ engine: "vectorizer", from: "png", to: "svg", options: ["colours"] }];
  const job = { ...jobRecord(), ...JSON.parse(JSON.stringify({ steps, options: { colours: "colour" } })) };
  await jobs.createJob(job, quotaRecord(job.accountId, 1), undefined);
  const current = { options: { colors: "color" }, steps: [{ options: ["colors"] }] };
  expect(await jobs.getJob(job.id)).toMatchObject(current);
  expect(await jobs.claim(job.id, NOW)).toMatchObject({ ...current, status: "processing", attempt: 1 });
});

it("sets the DynamoDB TTL of a job, its token and its idempotency record, in seconds", async () => {
  const jobs = dynamoJobs(dynamo);
  const job = jobRecord();
  const idempotency = idempotencyRecord({ expiresAt: NOW + 1_500 });
  const outcome = completedOutcome(job.id, 0);
  await jobs.createJob(job, quotaRecord(job.accountId, 1), idempotency);
  await jobs.finish(job.id, 0, outcome, NOW);
  expect(await item(job.id)).toMatchObject({ ttl: job.recordExpiresAt / 1_000 });
  expect(await item(outcome.result.token)).toMatchObject({ ttl: job.recordExpiresAt / 1_000 });
  expect(await item(`idem#${idempotency.key}`)).toMatchObject({ ttl: NOW / 1_000 + 2 });
});

it("sets the DynamoDB TTL of personal data: visitors and their addresses, sessions, challenges, counts", async () => {
  const { keys, quotas } = dynamo.tables;
  const [visitor, account] = [accountRecord({ visitorUntil: NOW + 1_500 }), accountRecord()];
  const [session, challenge] = [sessionRecord(), challengeRecord()];
  await dynamoAccounts(dynamo).createAccount(visitor);
  await dynamoAccounts(dynamo).createAccount(account);
  await dynamoSessions(dynamo).addSession(session);
  await dynamoSessions(dynamo).addChallenge(challenge);
  await dynamoAllowances(dynamo).take("someone", { limit: 5, windowMs: 3_600_000 }, NOW);
  await dynamoQuotas(dynamo).take(quotaRecord(visitor.id, 5));
  for (const key of [visitor.id, `email#${visitor.email.toLowerCase()}`]) {
    expect(await itemIn(keys, { pk: key })).toMatchObject({ ttl: NOW / 1_000 + 2 });
  }
  for (const key of [account.id, `email#${account.email.toLowerCase()}`]) {
    expect(await itemIn(keys, { pk: key })).not.toHaveProperty("ttl");
  }
  expect(await itemIn(keys, { pk: `session#${session.hash}` })).toMatchObject({ ttl: session.expiresAt / 1_000 });
  expect(await itemIn(keys, { pk: challenge.id })).toMatchObject({ ttl: challenge.expiresAt / 1_000 });
  const end = NOW + 3_600_000;
  const allowance = { accountId: "allowance#someone", period: `3600000#${end}` };
  expect(await itemIn(quotas, allowance)).toMatchObject({ ttl: end / 1_000 });
  const month = { accountId: visitor.id, period: "2026-11" };
  expect(await itemIn(quotas, month)).toMatchObject({ ttl: Date.UTC(2028, 11, 1) / 1_000 });
});

it("keeps the record of a full month with all counters small", async () => {
  const quotasStore = dynamoQuotas(dynamo);
  const claim = quotaRecord("acc_1", 1e9);
  for (let day = 1; day <= 31; day += 1) {
    for (const kind of ["upload", "convert", "download"] as const) {
      await quotasStore.take({ ...claim, day, kind });
    }
  }
  const item = await itemIn(dynamo.tables.quotas, { accountId: "acc_1", period: "2026-11" });
  // Names, and three bytes for a number of four digits; as many again for the ends of jobs.
  const bytes = Object.keys(item ?? {}).reduce((sum, name) => sum + name.length + 3, 0);
  expect(2 * bytes).toBeLessThan(1_200);
});

it("keeps a job in one shard of the sweeper's index while it is unfinished", async () => {
  const jobs = dynamoJobs(dynamo);
  const made = Array.from({ length: 2 * OVERDUE_SHARDS }, (_, index) => jobRecord({ id: `job_${index}` }));
  await Promise.all(made.map((job) => jobs.createJob(job, quotaRecord(job.accountId, 1))));
  const shards = new Set(await Promise.all(made.map(async ({ id }) => (await item(id))?.shard)));
  expect([...shards].sort()).toEqual(Array.from({ length: OVERDUE_SHARDS }, (_, shard) => String(shard)));
  for (const [index, { id }] of made.entries()) {
    await jobs.finish(id, 0, index % 2 === 0 ? failedRecord(true) : completedOutcome(id, 0), NOW);
    expect(await item(id)).not.toHaveProperty("shard");
  }
});

it("refunds nothing below zero when nothing is counted", async () => {
  const jobs = dynamoJobs(dynamo);
  const job = jobRecord({ quotaMonth: "2026-10" });
  await jobs.createJob(job, quotaRecord(job.accountId, 1, "2026-11"));
  expect(await jobs.finish(job.id, 0, failedRecord(true), NOW)).toBe(true);
  expect(await jobs.getJob(job.id)).toMatchObject({ status: "failed" });
  expect(await dynamoQuotas(dynamo).used(job.accountId, "2026-10")).toBe(0);
  expect(await dynamoQuotas(dynamo).used(job.accountId, "2026-11")).toBe(1);
});

it("counts exactly when transactions on the same count conflict, as they do on AWS and not in the emulator", async () => {
  let running = false;
  let conflicts = 0;
  dynamo.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== "TransactWriteItemsCommand") {
          return next(args);
        }
        if (running) {
          conflicts += 1;
          throw new TransactionCanceledException({
            message: "Transaction cancelled",
            $metadata: {},
            CancellationReasons: [{ Code: "None" }, { Code: "TransactionConflict" }],
          });
        }
        running = true;
        await setTimeout(5);
        return next(args).finally(() => {
          running = false;
        });
      },
    { step: "build" },
  );
  const { accountId } = jobRecord();
  const claim = quotaRecord(accountId, 20);
  const jobs = dynamoJobs(dynamo);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => jobs.createJob(jobRecord({ accountId }), claim).catch(({ code }) => code)),
  );
  const created = outcomes.filter((creation) => creation.outcome === "created");
  const refused = outcomes.filter(
    (creation) => creation.outcome === "quota_exceeded" || creation === "temporarily_unavailable",
  );
  expect(conflicts).toBeGreaterThan(0);
  expect(created).toHaveLength(20);
  expect(refused).toHaveLength(80);
  expect(await dynamoQuotas(dynamo).used(accountId, claim.month)).toBe(20);
});

const item = (key: string) => itemIn(dynamo.tables.jobs, { pk: key });

const itemIn = async (table: string, key: Readonly<Record<string, string>>) => {
  const command = new GetCommand({ TableName: table, Key: key, ConsistentRead: true });
  return (await dynamo.client.send(command)).Item;
};
