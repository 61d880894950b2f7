import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryBursts } from "../../../local/memory/bursts.ts";
import { memoryHolds } from "../../../local/memory/holds.ts";
import { sqliteAccounts } from "../../../local/sqlite/accounts.ts";
import { sqliteAllowances } from "../../../local/sqlite/allowances.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteEngineDays } from "../../../local/sqlite/engine-days.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteKeyUses } from "../../../local/sqlite/key-uses.ts";
import { sqlitePipelines, sqlitePresets } from "../../../local/sqlite/pipelines.ts";
import { sqliteQuotas } from "../../../local/sqlite/quotas.ts";
import { sqliteRequests } from "../../../local/sqlite/requests.ts";
import { sqliteSessions } from "../../../local/sqlite/sessions.ts";
import { sqliteStorages } from "../../../local/sqlite/storages.ts";
import { sqliteUploads } from "../../../local/sqlite/uploads.ts";
import { sqliteWebhooks } from "../../../local/sqlite/webhooks.ts";
import { accountStoreContract } from "../../adapters/contract/account-store.ts";
import { allowanceStoreContract } from "../../adapters/contract/allowance-store.ts";
import { burstStoreContract } from "../../adapters/contract/burst-store.ts";
import { engineDaysContract } from "../../adapters/contract/engine-days.ts";
import { jobStoreContract } from "../../adapters/contract/job-store.ts";
import { keyHoldsContract } from "../../adapters/contract/key-holds.ts";
import { keyUsesContract } from "../../adapters/contract/key-uses.ts";
import { pipelineStoreContract } from "../../adapters/contract/pipeline-store.ts";
import { quotaStoreContract } from "../../adapters/contract/quota-store.ts";
import { requestStoreContract } from "../../adapters/contract/request-store.ts";
import { sessionStoreContract } from "../../adapters/contract/session-store.ts";
import { storageStoreContract } from "../../adapters/contract/storage-store.ts";
import { uploadStoreContract } from "../../adapters/contract/upload-store.ts";
import { webhookStoreContract } from "../../adapters/contract/webhook-store.ts";
import { challengeRecord, signingKeyRecord } from "../../support/browser/people.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { completedOutcome, failedRecord, jobRecord, keyRecord, NOW, quotaRecord } from "../../support/world/records.ts";

/** All stores, each on a separate database. */
const make = async () => {
  const folder = temporaryFolder();
  const database = openDatabase(folder.path);
  const close = async (): Promise<void> => {
    database.close();
    await folder.remove();
  };
  return {
    accounts: sqliteAccounts(database),
    keyUses: sqliteKeyUses(database),
    sessions: sqliteSessions(database),
    allowances: sqliteAllowances(database),
    quotas: sqliteQuotas(database),
    uploads: sqliteUploads(database),
    jobs: sqliteJobs(database),
    webhooks: sqliteWebhooks(database),
    storages: sqliteStorages(database),
    pipelines: sqlitePipelines(database),
    presets: sqlitePresets(database),
    engineDays: sqliteEngineDays(database),
    requests: sqliteRequests(database),
    close,
  };
};

accountStoreContract("SQLite", make);
keyUsesContract("SQLite", make);
sessionStoreContract("SQLite", make);
allowanceStoreContract("SQLite", make);
quotaStoreContract("SQLite", make);
uploadStoreContract("SQLite", make);
jobStoreContract("SQLite", make);
pipelineStoreContract("SQLite", make);
webhookStoreContract("SQLite", make);
storageStoreContract("SQLite", make);
engineDaysContract("SQLite", make);
requestStoreContract("SQLite", make);
burstStoreContract("Memory", async () => ({ bursts: memoryBursts(), close: async () => {} }));
keyHoldsContract("Memory", async () => ({ holds: memoryHolds(), close: async () => {} }));

describe("the stores of one machine", () => {
  let folder: TemporaryFolder;
  let database: Database;
  beforeEach(() => {
    folder = temporaryFolder();
    database = openDatabase(folder.path);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  it("notify once for each changed job, and not for unchanged ones", async () => {
    const changed: string[] = [];
    const jobs = sqliteJobs(database, (id) => changed.push(id));
    const job = jobRecord();
    await jobs.createJob(job, quotaRecord(job.accountId, 5));
    await jobs.claim(job.id, NOW);
    await jobs.progress(job.id, 1, 50);
    await jobs.release(job.id, 1, NOW + 2_000);
    await jobs.claim(job.id, NOW);
    await jobs.finish(job.id, 2, completedOutcome(job.id, 2), NOW);
    expect(changed).toEqual(Array.from({ length: 5 }, () => job.id));
    await jobs.claim(job.id, NOW);
    await jobs.progress(job.id, 2, 60);
    await jobs.release(job.id, 2, NOW);
    await jobs.postpone(job.id, NOW, NOW + 1);
    await jobs.finish(job.id, 2, failedRecord(true), NOW);
    expect(changed).toHaveLength(5);
  });

  it("show a change only after it is committed", async () => {
    const seen: unknown[] = [];
    const jobs = sqliteJobs(database, async (id) => seen.push((await jobs.getJob(id))?.status));
    const job = jobRecord();
    await jobs.createJob(job, quotaRecord(job.accountId, 5));
    await jobs.claim(job.id, NOW);
    await jobs.finish(job.id, 1, failedRecord(false), NOW);
    expect(seen).toEqual(["processing", "failed"]);
  });

  it("show another process's change immediately, such as a key revoked by a command", async () => {
    const other = openDatabase(folder.path);
    const key = keyRecord();
    await sqliteAccounts(other).addKey(key);
    const mine = sqliteAccounts(database);
    expect(await mine.findKey(key.hash)).toEqual(key);
    await sqliteAccounts(other).revokeKey(key.hash, NOW + 1);
    expect(await mine.findKey(key.hash)).toEqual({ ...key, revokedAt: NOW + 1 });
    other.close();
  });

  it("count attempts and allowances, and rotate signing keys, across two processes", async () => {
    const other = openDatabase(folder.path);
    const stores = [sqliteSessions(database), sqliteSessions(other)];
    const challenge = challengeRecord();
    await stores[0]?.addChallenge(challenge);
    const tried = await Promise.all([...stores, ...stores].map((store) => store.tryChallenge(challenge.id, 3)));
    expect(tried.filter((each) => each !== undefined)).toHaveLength(3);
    const takers = [sqliteAllowances(database), sqliteAllowances(other)];
    const left = [...takers, ...takers].map((taker) => taker.take("someone", { limit: 3, windowMs: 1_000 }, NOW));
    // Each process commits the work of its turn together.
    expect((await Promise.all(left)).sort((a, b) => b - a)).toEqual([2, 1, 0, -1]);
    const bounds = { after: NOW - 1, endedAt: 0 };
    const rotated = await Promise.all(stores.map((store) => store.rotateSigningKeys(signingKeyRecord(), bounds)));
    expect(rotated[0]).toEqual(rotated[1]);
    expect(rotated[0]).toHaveLength(1);
    other.close();
  });

  it("keep their data when they are closed and reopened", async () => {
    const job = jobRecord();
    await sqliteJobs(database).createJob(job, quotaRecord(job.accountId, 5));
    database.close();
    database = openDatabase(folder.path);
    expect(await sqliteJobs(database).getJob(job.id)).toEqual(job);
    expect(await sqliteQuotas(database).used(job.accountId, job.quotaMonth)).toBe(1);
  });

  it("keep attempts and allowances across a restart", async () => {
    const challenge = challengeRecord();
    await sqliteSessions(database).addChallenge(challenge);
    const allowance = { limit: 1, windowMs: 3_600_000 };
    await sqliteSessions(database).tryChallenge(challenge.id, 1);
    await sqliteAllowances(database).take("someone", allowance, NOW);
    database.close();
    database = openDatabase(folder.path);
    expect(await sqliteSessions(database).tryChallenge(challenge.id, 1)).toBeUndefined();
    expect(await sqliteAllowances(database).take("someone", allowance, NOW)).toBe(-1);
  });
});
