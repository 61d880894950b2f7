import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobStore, QuotaStore, UploadStore } from "../../../functions/domain/ports.ts";
import type { WebhookStore } from "../../../functions/domain/webhooks/webhook-ports.ts";
import { idempotencyRecord, jobRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { describeDeletions } from "./job-deletions.ts";
import { describeEndings } from "./job-endings.ts";
import { describeFilteredLists } from "./job-lists.ts";
import { describeTransitions } from "./job-transitions.ts";

export interface JobStoreHarness {
  readonly jobs: JobStore;
  /** Stores the usage counts of the jobs. */
  readonly quotas: QuotaStore;
  /** Stores the inputs of the jobs. */
  readonly uploads: UploadStore;
  /** Stores the webhook messages about the ends of jobs. */
  readonly webhooks: WebhookStore;
  close(): Promise<void>;
}

/** The contract of every JobStore. `make` returns empty stores; it is called before each test. */
export const jobStoreContract = (name: string, make: () => Promise<JobStoreHarness>): void => {
  describe(`${name} as JobStore`, () => {
    let harness: JobStoreHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.close());

    describeCreation(() => harness);
    describeIdempotency(() => harness);
    describeTransitions(() => harness);
    describeEndings(() => harness);
    describeFilteredLists(() => harness);
    describeDeletions(() => harness);
  });
};

const describeCreation = (harness: () => JobStoreHarness): void => {
  it("returns a job as it was added, and counts its request", async () => {
    const { jobs, quotas } = harness();
    const job = jobRecord();
    expect(await jobs.createJob(job, quotaRecord(job.accountId, 5))).toEqual({ outcome: "created" });
    expect(await jobs.getJob(job.id)).toStrictEqual(job);
    expect(await quotas.used(job.accountId, job.quotaMonth)).toBe(1);
  });

  it("returns a job without options and metadata as it was added", async () => {
    const { jobs } = harness();
    const { metadata: _, ...job } = jobRecord({ options: {} });
    await jobs.createJob(job, quotaRecord(job.accountId, 5));
    expect(await jobs.getJob(job.id)).toStrictEqual(job);
  });

  it("returns undefined for an unknown job or token", async () => {
    const { jobs } = harness();
    expect(await jobs.getJob(jobRecord().id)).toBeUndefined();
    expect(await jobs.findByToken("dl_unknown")).toBeUndefined();
  });

  it("stores no job and no idempotency record if the quota is used up", async () => {
    const { jobs, quotas } = harness();
    const [refused, accepted] = [jobRecord(), jobRecord()];
    const claim = quotaRecord(refused.accountId, 0);
    const idempotency = idempotencyRecord();
    expect(await jobs.createJob(refused, claim, idempotency)).toEqual({ outcome: "quota_exceeded" });
    expect(await jobs.getJob(refused.id)).toBeUndefined();
    expect(await quotas.used(claim.accountId, claim.month)).toBe(0);
    expect(await jobs.createJob(accepted, { ...claim, limit: 1 }, idempotency)).toEqual({ outcome: "created" });
  });

  it("says once that a job exists, before it returns, and not that a refused or repeated one does", async () => {
    const { jobs } = harness();
    const job = jobRecord();
    const claim = quotaRecord(job.accountId, 1);
    const idempotency = idempotencyRecord();
    const found: unknown[] = [];
    const created = async (): Promise<void> => {
      found.push((await jobs.getJob(job.id))?.id);
    };
    await jobs.createJob(job, claim, idempotency, created);
    expect(found).toEqual([job.id]);
    await jobs.createJob(jobRecord(), claim, idempotency, created);
    await jobs.createJob(jobRecord({ accountId: job.accountId }), claim, undefined, created);
    expect(found).toEqual([job.id]);
  });

  it("accepts exactly 100 of 300 concurrent jobs under a limit of 100", async () => {
    const { jobs, quotas } = harness();
    const { accountId } = jobRecord();
    const claim = quotaRecord(accountId, 100);
    const wanted = Array.from({ length: 300 }, () => jobRecord({ accountId }));
    const creations = await Promise.all(wanted.map((job) => jobs.createJob(job, claim)));
    const found = await Promise.all(wanted.map(({ id }) => jobs.getJob(id)));
    expect(creations.filter(({ outcome }) => outcome === "created")).toHaveLength(100);
    expect(found.map((job) => job !== undefined)).toEqual(creations.map(({ outcome }) => outcome === "created"));
    expect(await quotas.used(accountId, claim.month)).toBe(100);
  });
};

const describeIdempotency = (harness: () => JobStoreHarness): void => {
  it("adds and counts nothing for a used idempotency key", async () => {
    const { jobs, quotas } = harness();
    const [first, second] = [jobRecord(), jobRecord()];
    const claim = quotaRecord(first.accountId, 5);
    const idempotency = idempotencyRecord();
    await jobs.createJob(first, claim, idempotency);
    const replay = await jobs.createJob(second, claim, { ...idempotency, requestHash: "another" });
    expect(replay).toEqual({ outcome: "replayed", id: first.id, requestHash: idempotency.requestHash });
    expect(await jobs.getJob(second.id)).toBeUndefined();
    expect(await quotas.used(claim.accountId, claim.month)).toBe(1);
  });

  it("replays even if the quota has been used up since", async () => {
    const { jobs } = harness();
    const job = jobRecord();
    const claim = quotaRecord(job.accountId, 1);
    const idempotency = idempotencyRecord();
    await jobs.createJob(job, claim, idempotency);
    expect(await jobs.createJob(jobRecord(), claim, idempotency)).toMatchObject({ outcome: "replayed", id: job.id });
  });

  it("returns the result of an idempotency key until it expires, without changes", async () => {
    const { jobs } = harness();
    const job = jobRecord();
    const idempotency = idempotencyRecord();
    expect(await jobs.findReplay(idempotency.key, NOW)).toBeUndefined();
    await jobs.createJob(job, undefined, idempotency);
    const replay = { outcome: "replayed", id: job.id, requestHash: idempotency.requestHash };
    expect(await jobs.findReplay(idempotency.key, NOW)).toStrictEqual(replay);
    expect(await jobs.findReplay(idempotency.key, idempotency.expiresAt)).toBeUndefined();
  });

  it("treats an expired idempotency record as missing", async () => {
    const { jobs, quotas } = harness();
    const idempotency = idempotencyRecord({ expiresAt: NOW + 1_000 });
    const first = jobRecord();
    const second = jobRecord({ createdAt: NOW + 1_001 });
    const third = jobRecord({ createdAt: NOW + 1_002 });
    const claim = quotaRecord(first.accountId, 5);
    const renewed = { ...idempotency, requestHash: "renewed", expiresAt: NOW + 9_000 };
    await jobs.createJob(first, claim, idempotency);
    expect(await jobs.createJob(second, claim, renewed)).toEqual({ outcome: "created" });
    expect(await jobs.createJob(third, claim, renewed)).toEqual({
      outcome: "replayed",
      id: second.id,
      requestHash: "renewed",
    });
    expect(await quotas.used(claim.accountId, claim.month)).toBe(2);
  });

  it("assigns an idempotency key to one of 20 concurrent jobs, and counts one request", async () => {
    const { jobs, quotas } = harness();
    const { accountId } = jobRecord();
    const claim = quotaRecord(accountId, 100);
    const idempotency = idempotencyRecord();
    const wanted = Array.from({ length: 20 }, () => jobRecord({ accountId }));
    const creations = await Promise.all(wanted.map((job) => jobs.createJob(job, claim, idempotency)));
    const winner = wanted[creations.findIndex(({ outcome }) => outcome === "created")];
    const replays = creations.filter((creation) => creation.outcome === "replayed");
    expect(replays).toHaveLength(19);
    expect(new Set(replays.map(({ id }) => id))).toEqual(new Set([winner?.id]));
    expect(await quotas.used(accountId, claim.month)).toBe(1);
  });
};
