import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import { QUEUED_RESEND_MS } from "../../../functions/domain/limits.ts";
import { sweepJobs } from "../../../functions/events/sweep-jobs.ts";
import { accountRecord, NOW, quotaRecord, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld(NOW);
});
afterEach(() => world.close());

describe("a job whose message cannot be sent", () => {
  it("is accepted, and the sweeper sends its message", async () => {
    const { id: accountId } = accountRecord();
    const claim = quotaRecord(accountId, 100);
    const upload = uploadRecord({ accountId });
    await world.context.uploads.createUpload(upload, claim);
    const broken = {
      ...world.context,
      queue: { send: () => Promise.reject(new Error("The queue is unavailable.")) },
    };
    const body = { upload_id: upload.id, target_format: "jpg" };
    const answer = await createJob.run(broken)({ ...requestOf(body), accountId, claim, now: NOW });
    expect(answer.status).toBe(202);
    world.now = NOW + QUEUED_RESEND_MS + 1;
    expect(await sweepJobs(world.context)()).toBe(1);
    expect(world.sent).toEqual([{ jobId: (answer.body as JobView).id, accountId, inputBytes: upload.bytes }]);
  });
});
