import { describe, expect, it } from "vitest";
import { leaseUntil } from "../../functions/domain/jobs/job.ts";
import { failJob } from "../../functions/events/fail-job.ts";
import { requeueJob } from "../../functions/events/requeue-job.ts";
import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { eventWorld } from "./event-world.ts";

const at = eventWorld();
const { acceptedJob, used } = at;

describe("sweeping", () => {
  it("resends the message of an overdue queued job, less often the older the job is", async () => {
    const job = await acceptedJob();
    expect(await sweepJobs(at.world.context)()).toBe(0);
    at.world.now += 3 * 60_000;
    expect(await sweepJobs(at.world.context)()).toBe(1);
    expect(at.world.sent).toEqual([{ jobId: job.id, accountId: "acc_1", inputBytes: 1 }]);
    expect(await sweepJobs(at.world.context)()).toBe(0);
    at.world.now += 10 * 60_000;
    await sweepJobs(at.world.context)();
    at.world.now += 3 * 60_000;
    expect(await sweepJobs(at.world.context)()).toBe(0);
  });

  it("requeues a job with an expired lease, and fails it when its attempts are used up", async () => {
    const job = await acceptedJob();
    for (const attempt of [1, 2, 3]) {
      expect((await at.world.context.jobs.claim(job.id, at.world.now))?.attempt).toBe(attempt);
      at.world.now += 60 * 60_000;
      await Promise.all([sweepJobs(at.world.context)(), sweepJobs(at.world.context)()]);
    }
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "engine_crashed" },
    });
    expect(at.world.sent.length).toBe(2);
    expect(await used()).toBe(0);
  });

  it("queues a job again that was never tried, because throttled deliveries count too, until it is too old", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    const before = at.world.sent.length;
    expect(await failJob(at.world.context)(message)).toBe("done");
    expect(at.world.sent.slice(before)).toEqual([{ ...message, inputBytes: 1 }]);
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "queued" });
    at.world.now += 6 * 3_600_000;
    expect(await failJob(at.world.context)(message)).toBe("done");
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "failed" });
  });
});

describe("a job that an attempt has returned", () => {
  it("is queued again at once, unless it has changed in the meantime", async () => {
    const job = await acceptedJob();
    await at.world.context.jobs.claim(job.id, at.world.now);
    const before = at.world.sent.length;
    await requeueJob(at.world.context)(job.id);
    await at.world.context.jobs.release(job.id, 1, at.world.now + 1);
    await requeueJob(at.world.context)(job.id);
    await requeueJob(at.world.context)("job_none");
    expect(at.world.sent.slice(before)).toEqual([{ jobId: job.id, accountId: "acc_1", inputBytes: 1 }]);
  });
});
describe("a dead letter", () => {
  it("fails its job once and returns the request, but does not change a running or ended job", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    await at.world.context.jobs.claim(job.id, at.world.now);
    expect(await failJob(at.world.context)(message)).toBe("retry");
    at.world.now = leaseUntil(job.lane, at.world.now) + 1;
    expect(await failJob(at.world.context)(message)).toBe("done");
    expect(await failJob(at.world.context)(message)).toBe("done");
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "engine_crashed" },
    });
    expect(await used()).toBe(0);
  });
});
