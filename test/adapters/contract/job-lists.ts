import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { newId } from "../../../functions/domain/ids.ts";
import type { Job } from "../../../functions/domain/jobs/job.ts";
import type { JobFilter } from "../../../functions/domain/jobs/job-filter.ts";
import type { JobStore } from "../../../functions/domain/ports.ts";
import { completedOutcome, failedRecord, jobRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import type { JobStoreHarness } from "./job-store.ts";

/** What every JobStore promises of lists with a filter. */
export const describeFilteredLists = (harness: () => JobStoreHarness): void => {
  it("lists the jobs that match a filter, the same ones with every page size", async () => {
    const { jobs } = harness();
    const { accountId, ids } = await filled(jobs);
    const filters: readonly (readonly [JobFilter, readonly number[]])[] = [
      [{ sourceFormat: "png" }, [5, 4, 2, 1, 0]],
      [{ sourceFormat: "heic" }, [3]],
      [{ targetFormat: "pdf" }, [4]],
      [{ keyId: "key_1" }, [2, 1]],
      [{ name: "holiday" }, [2, 0]],
      [{ name: "ÜBER" }, [1]],
      [{ name: "%" }, []],
      [{ status: "completed" }, [1]],
      [{ status: "expired" }, [0]],
      [{ status: "failed", name: "c" }, [2]],
      [{ createdAfter: NOW + 30 }, [5, 4, 3]],
      [{ createdBefore: NOW + 30 }, [2, 1, 0]],
      [{ createdAfter: NOW + 10, createdBefore: NOW + 40, sourceFormat: "png" }, [2, 1]],
      [{ createdAfter: NOW + 40, createdBefore: NOW + 10 }, []],
      [{ createdBefore: -1 }, []],
      [{ createdAfter: Number.MAX_SAFE_INTEGER }, []],
    ];
    for (const [filter, expected] of filters) {
      for (const limit of [1, 2, 100]) {
        const found = await pagesOf(jobs, { accountId, limit, filter });
        expect([filter, limit, found.map((id) => ids.indexOf(id))]).toEqual([filter, limit, expected]);
      }
    }
  });

  it("continues a list after a job that was erased meanwhile", async () => {
    const { jobs } = harness();
    const { accountId, ids } = await filled(jobs);
    const query = { accountId, limit: 2, now: NOW, sourceFormat: "png" } as const;
    const { next } = await jobs.listJobs(query);
    expect(next).toBe(ids[4]);
    await jobs.cancel(ids[4] ?? "", NOW);
    await jobs.eraseJob(ids[4] ?? "");
    const rest = await jobs.listJobs({ ...query, limit: 100, after: next ?? "" });
    expect(rest.items.map(({ id }) => ids.indexOf(id))).toEqual([2, 1, 0]);
  });
};

/** Jobs of one account, 10 ms apart: the first one completed long ago, the second now, the third failed. */
const filled = async (jobs: JobStore): Promise<{ accountId: string; ids: readonly string[] }> => {
  const { accountId } = jobRecord();
  const kinds: readonly Partial<Job>[] = [
    { filename: "Holiday.webp" },
    { sourceFilename: "über.png", keyId: "key_1" },
    { sourceFilename: "c.png", filename: "my-holidays.webp", keyId: "key_1" },
    { sourceFormat: "heic", keyId: "key_2" },
    { targetFormat: "pdf" },
    {},
  ];
  const ids: string[] = [];
  for (const [index, kind] of kinds.entries()) {
    const id = newId("job", NOW + 10 * index, randomBytes);
    const job = jobRecord({ accountId, id, ...kind });
    expect(await jobs.createJob(job, quotaRecord(accountId, 100))).toEqual({ outcome: "created" });
    ids.push(id);
  }
  const [expired = "", completed = "", failed = ""] = ids;
  for (const id of [expired, completed, failed]) {
    await jobs.claim(id, NOW);
  }
  await jobs.finish(expired, 1, completedOutcome(expired, 1), NOW);
  await jobs.expireResult(expired, NOW - 1);
  await jobs.finish(completed, 1, completedOutcome(completed, 1), NOW);
  await jobs.finish(failed, 1, failedRecord(false), NOW);
  return { accountId, ids };
};

const pagesOf = async (
  jobs: JobStore,
  { accountId, limit, filter }: { readonly accountId: string; readonly limit: number; readonly filter: JobFilter },
): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let after: string | undefined, more = true; more && ids.length < 20; ) {
    const page = await jobs.listJobs({ accountId, limit, now: NOW, ...filter, ...(after && { after }) });
    ids.push(...page.items.map(({ id }) => id));
    after = page.next;
    more = after !== undefined;
  }
  return ids;
};
