import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { exportIdOf } from "../../../functions/domain/exports/job-export.ts";
import { newId } from "../../../functions/domain/ids.ts";
import type { Job } from "../../../functions/domain/jobs/job.ts";
import type { JobStore } from "../../../functions/domain/ports.ts";
import { messageIdOf, messageIdsOf } from "../../../functions/domain/webhooks/message.ts";
import {
  completedOutcome,
  failedRecord,
  jobRecord,
  NOW,
  quotaRecord,
  uploadRecord,
  webhookRecord,
} from "../../support/world/records.ts";
import type { JobStoreHarness } from "./job-store.ts";

/** The part of the JobStore contract about lists, cancellation and erasure. */
export const describeEndings = (harness: () => JobStoreHarness): void => {
  describeLists(harness);
  describeCancelling(harness);
  describeErasing(harness);
  describeExports(harness);
  describeCounts(harness);
};

const describeLists = (harness: () => JobStoreHarness): void => {
  it("lists only the jobs of an account in pages, newest first", async () => {
    const { jobs } = harness();
    const { accountId } = jobRecord();
    const made = [];
    for (let age = 0; age < 7; age += 1) {
      made.unshift(await accepted(jobs, { accountId, id: newId("job", NOW + age, randomBytes) }));
      await accepted(jobs);
    }
    const pages = await pagesOf(jobs, accountId, 3);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(made);
  });

  it("returns no next page after exactly one full page", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    expect(await jobs.listJobs({ accountId: job.accountId, limit: 1, now: 0 })).toEqual({ items: [job] });
    expect(await jobs.listJobs({ accountId: jobRecord().accountId, limit: 10, now: 0 })).toEqual({ items: [] });
  });

  it("lists only jobs with a given status, in full pages", async () => {
    const { jobs } = harness();
    const { accountId } = jobRecord();
    const failed = [];
    for (let age = 0; age < 8; age += 1) {
      const job = await accepted(jobs, { accountId, id: newId("job", NOW + age, randomBytes) });
      if (age % 2 === 0) {
        await jobs.claim(job.id, NOW);
        await jobs.finish(job.id, 1, failedRecord(false), NOW);
        failed.unshift(job.id);
      }
    }
    const pages = await pagesOf(jobs, accountId, 3, "failed");
    expect(pages.flat().map(({ id }) => id)).toEqual(failed);
    expect(pages.flat().every(({ status }) => status === "failed")).toBe(true);
  });
};

const describeExports = (harness: () => JobStoreHarness): void => {
  const pending = { target: "v1.abc", location: "s3://results/a.webp", status: "pending", attempts: 0 } as const;

  it("records the attempts of an export, without changing the result", async () => {
    const { jobs } = harness();
    const { id } = await accepted(jobs, { export: pending });
    await jobs.claim(id, NOW);
    await jobs.finish(id, 1, completedOutcome(id, 1), NOW);
    const before = await jobs.getJob(id);
    await jobs.recordExport(id, { status: "pending", error: "The server returned status 503." });
    const tried = { ...pending, attempts: 1, error: "The server returned status 503." };
    expect(await jobs.getJob(id)).toEqual({ ...before, export: tried });
    await jobs.recordExport(id, { status: "delivered", location: "s3://results/a.zip" });
    const delivered = { location: "s3://results/a.zip", status: "delivered", attempts: 2 };
    expect(await jobs.getJob(id)).toEqual({ ...before, export: delivered });
    await jobs.recordExport(id, { status: "failed", error: "late" });
    expect(await jobs.getJob(id)).toEqual({ ...before, export: delivered });
  });

  it("ignores attempts of a missing job, and of one without an export", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    await jobs.recordExport(job.id, { status: "delivered" });
    expect(await jobs.getJob(job.id)).toEqual(job);
    await jobs.recordExport(jobRecord().id, { status: "delivered" });
  });

  it("deletes the message of an export with its job", async () => {
    const { jobs, webhooks } = harness();
    const { id, accountId } = await accepted(jobs, { export: pending });
    await webhooks.create(webhookRecord({ id: exportIdOf(id), accountId, jobId: id }));
    await jobs.cancel(id, NOW);
    expect(await jobs.eraseJob(id)).toBe(true);
    expect(await webhooks.get(exportIdOf(id))).toBeUndefined();
  });
};

const describeCancelling = (harness: () => JobStoreHarness): void => {
  it("cancels a queued job, which can then not be claimed", async () => {
    const { jobs, quotas } = harness();
    const options = { quality: 80, password: "secret", user_password: "secret", owner_password: "secret" };
    const job = await accepted(jobs, { options });
    expect(await jobs.cancel(job.id, NOW + 5)).toEqual(job);
    expect(await jobs.getJob(job.id)).toMatchObject({
      status: "cancelled",
      finishedAt: NOW + 5,
      options: { quality: 80 },
    });
    expect((await jobs.getJob(job.id))?.options).toEqual({ quality: 80 });
    expect(await jobs.claim(job.id, NOW + 6)).toBeUndefined();
    expect(await jobs.overdue(NOW + 1e9, 10)).toEqual([]);
    expect(await quotas.used(job.accountId, job.quotaMonth)).toBe(1);
  });

  it("cancels a processing job, whose attempt can then not finish it", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    await jobs.claim(job.id, NOW);
    expect(await jobs.cancel(job.id, NOW + 5)).toMatchObject({ status: "processing", attempt: 1 });
    expect(await jobs.finish(job.id, 1, completedOutcome(job.id, 1), NOW + 6)).toBe(false);
    expect(await jobs.release(job.id, 1, NOW)).toBe(false);
    expect(await jobs.getJob(job.id)).toMatchObject({ status: "cancelled", finishedAt: NOW + 5 });
  });

  it("cancels a job once, and no job that has ended or is missing", async () => {
    const { jobs } = harness();
    const [cancelled, failed] = [await accepted(jobs), await accepted(jobs)];
    await jobs.claim(failed.id, NOW);
    await jobs.finish(failed.id, 1, failedRecord(false), NOW);
    const results = await Promise.all(Array.from({ length: 10 }, () => jobs.cancel(cancelled.id, NOW)));
    expect(results.filter((job) => job !== undefined)).toHaveLength(1);
    expect(await jobs.cancel(failed.id, NOW)).toBeUndefined();
    expect(await jobs.cancel(jobRecord().id, NOW)).toBeUndefined();
    expect(await jobs.getJob(failed.id)).toMatchObject({ status: "failed" });
  });
};

const describeErasing = (harness: () => JobStoreHarness): void => {
  it("erases an ended job, its token and its webhook message", async () => {
    const { jobs, webhooks } = harness();
    const webhook = { url: "https://example.com/hook", baseUrl: "https://anyform.test" };
    const to = [{ id: "whe_1", url: "https://example.com/1", events: ["job.failed" as const] }];
    const endpoints = { baseUrl: "https://anyform.test", to };
    const [job, other] = [await accepted(jobs, { webhook, endpoints }), await accepted(jobs, { webhook })];
    const [, endpointMessage = ""] = messageIdsOf(job);
    await webhooks.create(webhookRecord({ id: endpointMessage, jobId: job.id }));
    await jobs.claim(job.id, NOW);
    const outcome = completedOutcome(job.id, 1);
    await jobs.finish(job.id, 1, outcome, NOW);
    for (const { id } of [job, other]) {
      await webhooks.create(webhookRecord({ id: messageIdOf(id), jobId: id }));
    }
    expect(await jobs.eraseJob(job.id)).toBe(true);
    expect(await webhooks.get(messageIdOf(job.id))).toBeUndefined();
    expect(await webhooks.get(endpointMessage)).toBeUndefined();
    expect(await webhooks.get(messageIdOf(other.id))).toBeDefined();
    expect(await jobs.getJob(job.id)).toBeUndefined();
    expect(await jobs.findByToken(outcome.result.token)).toBeUndefined();
    expect(await jobs.listJobs({ accountId: job.accountId, limit: 10, now: 0 })).toEqual({ items: [] });
    expect(await jobs.eraseJob(job.id)).toBe(false);
  });

  it("expires a result early, but never extends its expiry", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    await jobs.claim(job.id, NOW);
    const outcome = completedOutcome(job.id, 1);
    await jobs.finish(job.id, 1, outcome, NOW);
    await jobs.expireResult(job.id, NOW + 300);
    await jobs.expireResult(job.id, NOW + 900);
    await jobs.expireResult(jobRecord().id, NOW);
    expect(await jobs.getJob(job.id)).toMatchObject({
      status: "completed",
      result: { ...outcome.result, expiresAt: NOW + 300 },
    });
    expect((await jobs.findByToken(outcome.result.token))?.id).toBe(job.id);
  });

  it("does not erase an unfinished job", async () => {
    const { jobs } = harness();
    const job = await accepted(jobs);
    expect(await jobs.eraseJob(job.id)).toBe(false);
    expect(await jobs.getJob(job.id)).toEqual(job);
  });

  it("keeps all uploads of a merge, and those of options", async () => {
    const { jobs } = harness();
    const further = [uploadRecord(), uploadRecord()].map(({ id, key, bytes }) => ({
      uploadId: id,
      inputKey: key,
      inputBytes: bytes,
    }));
    const optionFiles = further.map((file) => ({
      ...file,
      ...({ format: "png", filename: "logo.png", option: "watermark_upload_id" } as const),
    }));
    const job = await accepted(jobs, { further, optionFiles });
    expect(await jobs.claim(job.id, NOW)).toMatchObject({ further, optionFiles });
  });
};

const describeCounts = (harness: () => JobStoreHarness): void => {
  const tomorrow = NOW + 24 * 3_600_000;
  const inDecember = Date.UTC(2026, 11, 1, 1);

  it("counts each end once by day, key, formats and outcome, with its bytes, also concurrent ones", async () => {
    const { jobs, quotas } = harness();
    const { accountId, inputBytes } = jobRecord();
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        accepted(jobs, { accountId, ...(index > 0 && { keyId: index > 6 ? "key_2" : "key_1" }) }),
      ),
    );
    const [session, first, ...rest] = made;
    const outcomes = rest.map(({ id }) => completedOutcome(id, 0));
    await Promise.all([
      ...rest.flatMap(({ id }, index) => {
        const outcome = outcomes[index] ?? completedOutcome(id, 0);
        return [jobs.finish(id, 0, outcome, NOW), jobs.finish(id, 0, outcome, NOW)];
      }),
      jobs.finish(first?.id ?? "", 0, failedRecord(true), tomorrow),
      jobs.cancel(session?.id ?? "", inDecember),
    ]);
    const { sourceFormat: source, targetFormat: target } = jobRecord();
    const { bytes } = completedOutcome("job_1", 0).result;
    const row = (day: number, keyId: string, outcome: string, count: number) => ({
      day,
      keyId,
      source,
      target,
      outcome,
      jobs: count,
      bytesIn: count * inputBytes,
      bytesOut: outcome === "completed" ? count * bytes : 0,
    });
    expect(await quotas.detailsOf(accountId, "2026-11")).toEqual({
      rows: [row(20, "key_1", "completed", 5), row(20, "key_2", "completed", 1), row(21, "key_1", "engine_crashed", 1)],
      truncated: false,
    });
    expect((await quotas.detailsOf(accountId, "2026-12")).rows).toEqual([row(1, "", "cancelled", 1)]);
  });

  it("counts a job on the day it is accepted, and its result on the day it ends", async () => {
    const { jobs, quotas } = harness();
    const { accountId } = jobRecord();
    const [completed, failed, cancelled] = [
      await accepted(jobs, { accountId }),
      await accepted(jobs, { accountId }),
      await accepted(jobs, { accountId }),
    ];
    await jobs.finish(completed.id, 0, completedOutcome(completed.id, 0), NOW);
    await jobs.finish(failed.id, 0, failedRecord(false), tomorrow);
    await jobs.cancel(cancelled.id, tomorrow);
    expect(await quotas.useOf(accountId, "2026-11")).toEqual({
      used: 3,
      days: new Map<number, object>([
        [20, { convert: 3, completed: 1 }],
        [21, { failed: 1, cancelled: 1 }],
      ]),
    });
  });

  it("counts the end of a job once under concurrent requests to end it", async () => {
    const { jobs, quotas } = harness();
    const job = await accepted(jobs);
    await Promise.all([
      ...Array.from({ length: 5 }, () => jobs.cancel(job.id, NOW)),
      ...Array.from({ length: 5 }, () => jobs.finish(job.id, 0, failedRecord(false), NOW)),
    ]);
    const { days } = await quotas.useOf(job.accountId, "2026-11");
    const { failed = 0, cancelled = 0 } = days.get(20) ?? {};
    expect(failed + cancelled).toBe(1);
  });

  it("counts a refunded job as accepted and failed, though its request is returned to the quota", async () => {
    const { jobs, quotas } = harness();
    const job = await accepted(jobs);
    await jobs.finish(job.id, 0, failedRecord(true), NOW);
    const days = new Map([[20, { convert: 1, failed: 1 }]]);
    expect(await quotas.useOf(job.accountId, "2026-11")).toEqual({ used: 0, days });
  });

  it("refunds the key that the request was counted for", async () => {
    const { jobs, quotas } = harness();
    const { accountId } = jobRecord();
    const quota = { ...quotaRecord(accountId, 10), key: { id: "key_limited", limit: 1 } };
    const fields = { accountId, quotaMonth: quota.month, quotaKey: quota.key.id };
    const job = jobRecord(fields);
    expect(await jobs.createJob(job, quota)).toEqual({ outcome: "created" });
    expect(await jobs.createJob(jobRecord(fields), quota)).toEqual({ outcome: "key_quota_exceeded" });
    expect(await jobs.createJob(jobRecord(fields), { ...quota, limit: 0 })).not.toEqual({ outcome: "created" });
    expect(await jobs.finish(job.id, 0, failedRecord(true), NOW)).toBe(true);
    expect(await quotas.usedByKeys(accountId, quota.month, ["key_limited"])).toEqual(new Map([["key_limited", 0]]));
    expect(await quotas.used(accountId, quota.month)).toBe(0);
    expect(await jobs.createJob(jobRecord(fields), quota)).toEqual({ outcome: "created" });
  });

  it("refunds the month of the request, and counts the failure in the month of the end", async () => {
    const { jobs, quotas } = harness();
    const job = await accepted(jobs);
    await jobs.finish(job.id, 0, failedRecord(true), inDecember);
    const [november, december] = [new Map([[20, { convert: 1 }]]), new Map([[1, { failed: 1 }]])];
    expect(await quotas.useOf(job.accountId, "2026-11")).toEqual({ used: 0, days: november });
    expect(await quotas.useOf(job.accountId, "2026-12")).toEqual({ used: 0, days: december });
  });

  it("counts neither the request nor the end of a test key's job", async () => {
    const { jobs, quotas } = harness();
    const { accountId } = jobRecord();
    const outcomes = [failedRecord(true), failedRecord(false), completedOutcome("job_test", 0)];
    for (const outcome of outcomes) {
      const job = jobRecord({ accountId, quotaMonth: "" });
      await jobs.createJob(job, undefined);
      expect(await jobs.finish(job.id, 0, outcome, NOW)).toBe(true);
    }
    const cancelled = jobRecord({ accountId, quotaMonth: "" });
    await jobs.createJob(cancelled, undefined);
    expect(await jobs.cancel(cancelled.id, NOW)).toEqual(cancelled);
    expect(await quotas.useOf(accountId, "2026-11")).toEqual({ used: 0, days: new Map() });
  });
};

const accepted = async (jobs: JobStore, overrides: Partial<Job> = {}): Promise<Job> => {
  const job = jobRecord(overrides);
  expect(await jobs.createJob(job, quotaRecord(job.accountId, 100))).toEqual({ outcome: "created" });
  return job;
};

const pagesOf = async (
  jobs: JobStore,
  accountId: string,
  limit: number,
  status?: Job["status"],
): Promise<(readonly Job[])[]> => {
  const pages = [];
  for (let after: string | undefined, more = true; more && pages.length < 20; ) {
    const page = await jobs.listJobs({ accountId, limit, now: 0, ...(after && { after }), ...(status && { status }) });
    pages.push(page.items);
    after = page.next;
    more = after !== undefined;
  }
  return pages;
};
