import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteJob } from "../../functions/api/jobs/delete-job.ts";
import { JobError } from "../../functions/domain/errors.ts";
import { isUnfinished, type Job, leaseTakenAt, leaseUntil } from "../../functions/domain/jobs/job.ts";
import { JOB_ATTEMPTS_MAX } from "../../functions/domain/limits.ts";
import { convertFile } from "../../functions/events/convert-file.ts";
import { failJob } from "../../functions/events/fail-job.ts";
import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { jobRecord, NOW } from "../support/world/records.ts";
import { requestOf } from "../support/world/requests.ts";
import { makeWorld, type World } from "../support/world/world.ts";

/** Each end of a job is counted once, by the process that ended it. */

let world: World;
beforeEach(() => {
  world = makeWorld(NOW);
});
afterEach(() => world.close());

const accepted = async (): Promise<Job> => {
  const job = jobRecord();
  await world.context.jobs.createJob(job, undefined);
  return job;
};

const claimed = async (times: number): Promise<Job> => {
  const { id, lane } = await accepted();
  for (let attempt = 1; attempt <= times; attempt += 1) {
    await world.context.jobs.claim(id, world.now);
    world.now = leaseUntil(lane, world.now) + 1;
  }
  const job = await world.context.jobs.getJob(id);
  if (job === undefined) {
    throw new Error("The job does not exist.");
  }
  return job;
};

const ends = () => world.measured.flatMap(({ metric, labels }) => (metric === "jobs" ? [labels.outcome] : []));
const waits = () => world.measured.filter(({ metric }) => metric === "job_wait_seconds").map(({ value }) => value);
const messageOf = ({ id, accountId }: Job) => ({ jobId: id, accountId });

describe("a job's end is counted once", () => {
  it("by the converter, with how long it waited", async () => {
    const job = await accepted();
    world.now += 3_000;
    const convert = convertFile(world.context, async () => {
      throw new JobError("source_corrupt", "It is damaged.");
    });
    await world.context.files.storeStream(job.inputKey, bytes(), 10);
    await convert(messageOf(job));
    await convert(messageOf(job));
    expect([ends(), waits()]).toEqual([["failed_input"], [(NOW + 3_000 - job.createdAt) / 1_000]]);
  });

  it("by the sweeper", async () => {
    await claimed(JOB_ATTEMPTS_MAX);
    await sweepJobs(world.context)();
    await sweepJobs(world.context)();
    expect(ends()).toEqual(["failed_service"]);
  });

  it("by the handler of dead letters", async () => {
    const job = await claimed(1);
    await failJob(world.context)(messageOf(job));
    await failJob(world.context)(messageOf(job));
    expect(ends()).toEqual(["failed_service"]);
  });

  it("by the client that cancels it, and not again when it is deleted", async () => {
    const job = await accepted();
    const request = { ...requestOf(undefined), params: { id: job.id }, accountId: job.accountId, now: NOW };
    await deleteJob.run(world.context)(request);
    await deleteJob.run(world.context)(request);
    expect(ends()).toEqual(["cancelled"]);
  });
});

it("a job that returns to the queue is not counted as ended", async () => {
  const job = await claimed(1);
  await sweepJobs(world.context)();
  const now = await world.context.jobs.getJob(job.id);
  expect([now && isUnfinished(now), ends()]).toEqual([true, []]);
});

it("the time of a claim is derived from its lease", async () => {
  const { id } = await accepted();
  const job = await world.context.jobs.claim(id, NOW + 7);
  expect(job && leaseTakenAt(job)).toBe(NOW + 7);
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("broken");
}
