import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { PAGE_READ_MAX } from "../../functions/domain/filtered-page.ts";
import { newId } from "../../functions/domain/ids.ts";
import { jobView } from "../../functions/domain/jobs/job.ts";
import { jobPage } from "../../functions/domain/jobs/job-page.ts";
import { jobRecord, NOW } from "../support/world/records.ts";

test("a page that nothing matches reads a limited number of jobs, and says where to continue", async () => {
  const ids = Array.from({ length: PAGE_READ_MAX + 500 }, (_, age) => newId("job", NOW - age, randomBytes));
  const job = jobRecord();
  const reads: number[] = [];
  const query = { accountId: job.accountId, limit: 20, now: NOW, name: "nothing" };
  const read = async ({ before, limit }: { before: string; limit: number }) => {
    reads.push(limit);
    const start = ids.findIndex((id) => id < before);
    return ids.slice(start, start + limit).map((id) => ({ id, record: job }));
  };
  const page = await jobPage(query, read);
  expect(page).toEqual({ items: [], next: ids[PAGE_READ_MAX - 1] });
  expect(reads.reduce((sum, limit) => sum + limit, 0)).toBe(PAGE_READ_MAX);
  expect(await jobPage({ ...query, after: page.next ?? "" }, read)).toEqual({ items: [] });
});

test("a job that was stored without the name of its source and its key is shown with null", () => {
  const job = jobRecord({ further: [{ uploadId: "upl_2", inputKey: "uploads/upl_2", inputBytes: 1 }] });
  const { sourceFilename, keyId, ...before } = job;
  expect([sourceFilename, keyId]).toEqual([undefined, undefined]);
  expect(jobView(before, "https://anyform.example", NOW)).toMatchObject({
    upload_id: job.uploadId,
    upload_ids: [job.uploadId, "upl_2"],
    source_filename: null,
    key_id: null,
  });
});
