import { expect, it } from "vitest";
import { leaseSeconds } from "../../../functions/domain/conversions/lanes.ts";
import type { Job } from "../../../functions/domain/jobs/job.ts";
import type { JobStore } from "../../../functions/domain/ports.ts";
import { completedOutcome, failedRecord, jobRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import type { JobStoreHarness } from "./job-store.ts";

/** The lease of the lane of the jobs in these tests. */
const LEASE_MS = leaseSeconds("fast") * 1_000;

/** The part of the JobStore contract about the transitions of a job from `queued` to its end. */
export const describeTransitions = (harness: () => JobStoreHarness): void => {
  describeClaim(harness);
  describeAttempts(harness);
  describeFinish(harness);
  describeGivingBack(harness);
  describeOverdue(harness);
};

const describeClaim = (harness: () => JobStoreHarness): void => {
  it("claims a queued job: processing, first attempt, leased, started", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    const claimed = await jobs.claim(job.id, NOW + 5);
    const dueAt = NOW + 5 + LEASE_MS;
    expect(claimed).toEqual({ ...job, status: "processing", attempt: 1, dueAt, startedAt: NOW + 5 });
    expect(await jobs.getJob(job.id)).toEqual(claimed);
  });

  it("gives a job to one of 20 concurrent claims", async () => {
    const { jobs } = harness();
    const { id } = await accepted(jobs);
    const claims = await Promise.all(Array.from({ length: 20 }, () => jobs.claim(id, NOW)));
    expect(claims.filter((job) => job !== undefined)).toHaveLength(1);
    expect(await jobs.getJob(id)).toMatchObject({ status: "processing", attempt: 1 });
  });

  it("gives no job with a valid lease, and one with an expired lease once, as the next attempt with the original start", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    expect(await jobs.claim(id, NOW + LEASE_MS - 1)).toBeUndefined();
    const later = NOW + LEASE_MS + 1;
    const claims = await Promise.all(Array.from({ length: 10 }, () => jobs.claim(id, later)));
    const winners = claims.filter((job) => job !== undefined);
    expect(winners).toHaveLength(1);
    expect(winners[0]).toMatchObject({ status: "processing", attempt: 2, dueAt: later + LEASE_MS, startedAt: NOW });
  });

  it("gives no job that is unknown, completed or failed", async () => {
    const { jobs } = harness();
    const [completed, failed] = [await claimed(jobs), await claimed(jobs)];
    await jobs.finish(completed.id, 1, completedOutcome(completed.id, 1), NOW);
    await jobs.finish(failed.id, 1, failedRecord(false), NOW);
    const later = NOW + 10 * LEASE_MS;
    for (const id of [completed.id, failed.id, jobRecord().id]) {
      expect(await jobs.claim(id, later)).toBeUndefined();
    }
    expect(await jobs.getJob(completed.id)).toMatchObject({ status: "completed", attempt: 1 });
  });
};

const describeAttempts = (harness: () => JobStoreHarness): void => {
  it("sets the progress for the attempt that holds the job", async () => {
    const { jobs } = harness();
    const job = await claimed(jobs);
    await jobs.progress(job.id, 1, 40);
    expect(await jobs.getJob(job.id)).toEqual({ ...job, progress: 40 });
  });

  it("sets no progress of a queued, finished or missing job", async () => {
    const { jobs } = harness();
    const [queued, done] = [await accepted(jobs), await claimed(jobs)];
    await jobs.finish(done.id, 1, failedRecord(false), NOW);
    for (const { id } of [queued, done, jobRecord()]) {
      await jobs.progress(id, 0, 40);
      await jobs.progress(id, 1, 40);
    }
    expect(await jobs.getJob(queued.id)).toMatchObject({ progress: 0 });
    expect(await jobs.getJob(done.id)).toMatchObject({ progress: 0 });
  });

  it("releases a job back to queued; the next claim is the next attempt", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    expect(await jobs.release(id, 1, NOW + 7_000)).toBe(true);
    expect(await jobs.getJob(id)).toMatchObject({ status: "queued", attempt: 1, dueAt: NOW + 7_000, startedAt: NOW });
    expect(await jobs.release(id, 1, NOW + 8_000)).toBe(false);
    expect(await jobs.claim(id, NOW + 10)).toMatchObject({ attempt: 2, startedAt: NOW });
  });

  it("moves a job to another lane once, and only messages of that lane claim it", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    const moves = await Promise.all(
      Array.from({ length: 5 }, () => jobs.release(id, 1, NOW + 7_000, { lane: "documents" })),
    );
    expect(moves.filter(Boolean)).toHaveLength(1);
    expect(await jobs.getJob(id)).toMatchObject({ status: "queued", lane: "documents", movedAfter: 1, attempt: 1 });
    expect(await jobs.claim(id, NOW + 10, "fast")).toBeUndefined();
    expect(await jobs.claim(id, NOW + 10, "documents")).toMatchObject({ lane: "documents", attempt: 2 });
  });

  it("rejects finish, release and progress from an attempt that lost the job", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    const later = NOW + LEASE_MS + 1;
    const second = await jobs.claim(id, later);
    const old = completedOutcome(id, 1);
    expect(await jobs.finish(id, 1, old, later)).toBe(false);
    expect(await jobs.release(id, 1, later)).toBe(false);
    await jobs.progress(id, 1, 90);
    expect(await jobs.getJob(id)).toEqual(second);
    expect(await jobs.findByToken(old.result.token)).toBeUndefined();
    expect(await jobs.finish(id, 2, completedOutcome(id, 2), later)).toBe(true);
  });

  it("does not release a queued, finished or unknown job", async () => {
    const { jobs } = harness();
    const [queued, done] = [await accepted(jobs), await claimed(jobs)];
    await jobs.finish(done.id, 1, failedRecord(false), NOW);
    expect(await jobs.release(queued.id, 0, NOW)).toBe(false);
    expect(await jobs.release(done.id, 1, NOW)).toBe(false);
    expect(await jobs.release(jobRecord().id, 1, NOW)).toBe(false);
    expect(await jobs.getJob(queued.id)).toEqual(queued);
  });
};

const describeFinish = (harness: () => JobStoreHarness): void => {
  it("removes the password of an ended job, and keeps its other options", async () => {
    const { jobs } = harness();
    for (const outcome of [completedOutcome, () => failedRecord(false)]) {
      const job = jobRecord({ options: { password: "open sesame", pages: "1" } });
      await jobs.createJob(job, quotaRecord(job.accountId, 1));
      expect((await jobs.claim(job.id, NOW))?.options.password).toBe("open sesame");
      expect(await jobs.finish(job.id, 1, outcome(job.id, 1), NOW)).toBe(true);
      expect((await jobs.getJob(job.id))?.options).toEqual({ pages: "1" });
    }
  });

  it("completes a job with its full outcome at 100 percent, and finds it by its token", async () => {
    const { jobs } = harness();
    const job = await claimed(jobs);
    const { result, timings, warnings } = completedOutcome(job.id, 1);
    expect(await jobs.findByToken(result.token)).toBeUndefined();
    expect(await jobs.finish(job.id, 1, { status: "completed", result, timings, warnings }, NOW + 9)).toBe(true);
    const { dueAt: _, ...held } = job;
    const expected = { ...held, status: "completed", progress: 100, result, timings, warnings, finishedAt: NOW + 9 };
    expect(await jobs.getJob(job.id)).toMatchObject(expected);
    expect(await jobs.findByToken(result.token)).toMatchObject(expected);
  });

  it("fails a job with its error and without a result", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    const outcome = failedRecord(false);
    expect(await jobs.finish(id, 1, outcome, NOW + 9)).toBe(true);
    const job = await jobs.getJob(id);
    expect(job).toMatchObject({ status: "failed", error: outcome.error, finishedAt: NOW + 9 });
    expect(job?.result).toBeUndefined();
  });

  it("finishes a job once under 10 concurrent calls, and ignores later ones", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    const outcomes = Array.from({ length: 10 }, () => completedOutcome(id, 1));
    const ended = await Promise.all(outcomes.map((outcome) => jobs.finish(id, 1, outcome, NOW)));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await jobs.finish(id, 1, failedRecord(true), NOW + 1)).toBe(false);
    const job = await jobs.getJob(id);
    expect(job?.result).toEqual(outcomes[ended.indexOf(true)]?.result);
    for (const [index, { result }] of outcomes.entries()) {
      expect((await jobs.findByToken(result.token))?.id).toBe(ended[index] ? id : undefined);
    }
  });

  it("finishes a job that was never claimed at attempt 0, but not a claimed one", async () => {
    const { jobs } = harness();
    const [waiting, running] = [await accepted(jobs), await claimed(jobs)];
    expect(await jobs.finish(running.id, 0, failedRecord(true), NOW)).toBe(false);
    expect(await jobs.finish(waiting.id, 1, failedRecord(true), NOW)).toBe(false);
    expect(await jobs.finish(waiting.id, 0, failedRecord(true), NOW)).toBe(true);
    expect(await jobs.getJob(waiting.id)).toMatchObject({ status: "failed", attempt: 0 });
  });

  it("finishes a released job at its last attempt", async () => {
    const { jobs } = harness();
    const { id } = await claimed(jobs);
    await jobs.release(id, 1, NOW);
    expect(await jobs.finish(id, 0, failedRecord(true), NOW)).toBe(false);
    expect(await jobs.finish(id, 1, failedRecord(true), NOW)).toBe(true);
  });

  it("does not finish or add a missing job", async () => {
    const { jobs } = harness();
    const { id } = jobRecord();
    expect(await jobs.finish(id, 0, failedRecord(true), NOW)).toBe(false);
    expect(await jobs.getJob(id)).toBeUndefined();
  });
};

const describeGivingBack = (harness: () => JobStoreHarness): void => {
  it("refunds the request of a job that failed through our fault once, in the month it was counted", async () => {
    const { jobs, quotas } = harness();
    const job = await claimed(jobs, { createdAt: NOW });
    await quotas.take(quotaRecord(job.accountId, 9));
    await quotas.take(quotaRecord(job.accountId, 9, "2026-12"));
    const inDecember = NOW + 15 * 24 * 3_600_000;
    await Promise.all(Array.from({ length: 10 }, () => jobs.finish(job.id, 1, failedRecord(true), inDecember)));
    expect(await quotas.used(job.accountId, job.quotaMonth)).toBe(1);
    expect(await quotas.used(job.accountId, "2026-12")).toBe(1);
  });

  it("refunds nothing for a job that completed or failed because of its input", async () => {
    const { jobs, quotas } = harness();
    const [completed, failed] = [await claimed(jobs), await claimed(jobs)];
    await jobs.finish(completed.id, 1, completedOutcome(completed.id, 1), NOW);
    await jobs.finish(failed.id, 1, failedRecord(false), NOW);
    expect(await quotas.used(completed.accountId, completed.quotaMonth)).toBe(1);
    expect(await quotas.used(failed.accountId, failed.quotaMonth)).toBe(1);
  });
};

const describeOverdue = (harness: () => JobStoreHarness): void => {
  it("lists overdue unfinished jobs, longest overdue first, up to the limit", async () => {
    const { jobs } = harness();
    const added = new Map<number, string>();
    for (const minutes of [5, 1, 9, 3, 7, 2, 8]) {
      added.set(minutes, (await accepted(jobs, { dueAt: NOW + minutes * 60_000 })).id);
    }
    const due = async (minutes: number, limit: number) =>
      (await jobs.overdue(NOW + minutes * 60_000 + 1, limit)).map(({ id }) => id);
    expect(await due(7, 100)).toEqual([1, 2, 3, 5, 7].map((minutes) => added.get(minutes)));
    expect(await due(7, 3)).toEqual([1, 2, 3].map((minutes) => added.get(minutes)));
    expect(await due(0, 100)).toEqual([]);
  });

  it("lists a completed job with an expired lease, but no ended job", async () => {
    const { jobs } = harness();
    const [running, completed, failed] = [await claimed(jobs), await claimed(jobs), await accepted(jobs)];
    await jobs.finish(completed.id, 1, completedOutcome(completed.id, 1), NOW);
    await jobs.finish(failed.id, 0, failedRecord(true), NOW);
    expect(await jobs.overdue(NOW + LEASE_MS - 1, 100)).toEqual([]);
    expect(await jobs.overdue(NOW + 10 * LEASE_MS, 100)).toEqual([running]);
  });

  it("changes the due time of an unfinished job only if it is unchanged since it was read", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    const moved = await Promise.all(
      Array.from({ length: 10 }, () => jobs.postpone(job.id, job.dueAt, job.dueAt + 5_000)),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await jobs.getJob(job.id)).toEqual({ ...job, dueAt: job.dueAt + 5_000 });
    expect(await jobs.overdue(job.dueAt + 1, 100)).toEqual([]);
    expect(await jobs.overdue(job.dueAt + 5_001, 100)).toHaveLength(1);
  });

  it("does not change the due time of an ended or missing job", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    await jobs.finish(job.id, 0, failedRecord(true), NOW);
    expect(await jobs.postpone(job.id, job.dueAt, NOW + 1)).toBe(false);
    expect(await jobs.postpone(jobRecord().id, NOW, NOW + 1)).toBe(false);
    expect(await jobs.overdue(NOW + 10 * LEASE_MS, 100)).toEqual([]);
  });
};

const accepted = async (jobs: JobStore, overrides: Partial<Job> = {}): Promise<Job> => {
  const job = jobRecord(overrides);
  expect(await jobs.createJob(job, quotaRecord(job.accountId, 10))).toEqual({ outcome: "created" });
  return job;
};

const claimed = async (jobs: JobStore, overrides: Partial<Job> = {}): Promise<Job> => {
  const { id } = await accepted(jobs, overrides);
  const job = await jobs.claim(id, NOW);
  if (job === undefined) {
    throw new Error(`The queued job ${id} could not be claimed.`);
  }
  return job;
};
