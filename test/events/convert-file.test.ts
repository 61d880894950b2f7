import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { JobError } from "../../functions/domain/errors.ts";
import { resultKey } from "../../functions/domain/jobs/job.ts";
import { convertFile } from "../../functions/events/convert-file.ts";
import type { RunConversion } from "../../functions/events/convert-inputs.ts";
import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { eventWorld, failing, inThisProcess } from "./event-world.ts";

/** The event handler of conversions, with real stores and engines, and a test clock. */

/** Milliseconds for two polls of a running job, one per second, on a busy machine. */
const LOOKS_MS_MAX = 30_000;

const at = eventWorld();
const { acceptedJob, used } = at;

/** @returns the attempts of the job that have a file */
const storedAttempts = async (jobId: string): Promise<number[]> => {
  const paths = await Promise.all(
    [1, 2, 3].map((attempt) => at.world.context.files.fetch(resultKey(jobId, attempt), at.world.folder)),
  );
  return paths.flatMap((path, index) => (path === undefined ? [] : [index + 1]));
};

describe("converting a file", () => {
  it("ends the job with a valid result and leaves no files in the scratch folder", async () => {
    const job = await acceptedJob();
    expect(await convertFile(at.world.context, inThisProcess)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    const ended = await at.world.context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 1, progress: 100 });
    const path = await at.world.context.files.fetch(ended?.result?.key ?? "", at.world.folder);
    expect((await sharp(path).metadata()).format).toBe("jpeg");
    const scratch = (await readdir(at.world.folder)).filter((name) => name.startsWith("job-"));
    expect(await Promise.all(scratch.map((name) => readdir(join(at.world.folder, name))))).toEqual(
      scratch.map(() => []),
    );
    expect(await used()).toBe(1);
  });

  it("creates one result for a message that is delivered twice, concurrently and later", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    let runs = 0;
    const counted: RunConversion = (task, limits) => {
      runs += 1;
      return inThisProcess(task, limits);
    };
    await Promise.all([
      convertFile(at.world.context, counted)(message),
      convertFile(at.world.context, counted)(message),
    ]);
    await convertFile(at.world.context, counted)(message);
    expect(runs).toBe(1);
    expect((await at.world.context.jobs.getJob(job.id))?.attempt).toBe(1);
    expect(await storedAttempts(job.id)).toEqual([1]);
  });

  it("fails the job immediately for invalid input, without returning the request", async () => {
    const job = await acceptedJob();
    expect(await convertFile(at.world.context, failing("source_corrupt"))({ jobId: job.id, accountId: "acc_1" })).toBe(
      "done",
    );
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "source_corrupt" },
    });
    expect(await used()).toBe(1);
  });

  it("attempts internal errors three times, then fails the job and returns the request", async () => {
    const job = await acceptedJob();
    const crash = () => convertFile(at.world.context, failing("engine_failed"))({ jobId: job.id, accountId: "acc_1" });
    expect([await crash(), await crash(), await crash()]).toEqual(["retry", "retry", "done"]);
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      attempt: 3,
      error: { code: "engine_failed" },
    });
    expect(await used()).toBe(0);
    expect(await crash()).toBe("done");
    expect(await used()).toBe(0);
  });

  it("fails a file with which the engine crashed twice, each time in a new folder, and counts the request", async () => {
    const job = await acceptedJob();
    const folders: string[] = [];
    const crashing: RunConversion = async ({ folder, input }) => {
      expect(existsSync(input)).toBe(true);
      folders.push(folder);
      throw new JobError("engine_crashed", "The converter was terminated by SIGSEGV.");
    };
    const message = { jobId: job.id, accountId: "acc_1" };
    expect(await convertFile(at.world.context, crashing)(message)).toBe("done");
    expect(new Set(folders).size).toBe(2);
    expect(folders.filter((folder) => existsSync(folder) && readdirSync(folder).length > 0)).toEqual([]);
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      attempt: 1,
      error: { code: "unsupported_feature", detail: expect.stringContaining("crashed the conversion twice") },
    });
    expect(await used()).toBe(1);
  });

  it("completes a job whose engine crashed once, in the same attempt", async () => {
    const job = await acceptedJob();
    let runs = 0;
    const crashingOnce: RunConversion = (task, limits) => {
      runs += 1;
      return runs === 1 ? failing("engine_crashed")(task, limits) : inThisProcess(task, limits);
    };
    expect(await convertFile(at.world.context, crashingOnce)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("lets the attempt that took over finish, and discards the late result of the previous one", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    const slow: RunConversion = async (task, limits) => {
      const result = await inThisProcess(task, limits);
      at.world.now += 3_600_000;
      await convertFile(at.world.context, inThisProcess)(message);
      return result;
    };
    await convertFile(at.world.context, slow)(message);
    const ended = await at.world.context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 2, result: { key: `results/${job.id}/2` } });
    expect(await storedAttempts(job.id)).toEqual([2]);
  });

  it("lets an attempt with an expired lease end its job unless another one claimed it", {
    timeout: 2 * LOOKS_MS_MAX,
  }, async () => {
    const job = await acceptedJob();
    let looks = 0;
    const { getJob } = at.world.context.jobs;
    const jobs = {
      ...at.world.context.jobs,
      getJob: (id: string) => {
        looks += 1;
        return getJob(id);
      },
    };
    const late: RunConversion = async (task, limits) => {
      at.world.now += 3_600_000;
      expect(await sweepJobs(at.world.context)()).toBe(1);
      const before = looks;
      // The second one began when the job was in the queue again.
      await vi.waitUntil(() => looks >= before + 2 || limits.signal.aborted, { timeout: LOOKS_MS_MAX });
      limits.signal.throwIfAborted();
      return inThisProcess(task, limits);
    };
    await convertFile({ ...at.world.context, jobs }, late)({ jobId: job.id, accountId: "acc_1" });
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "completed", attempt: 1 });
  });
});
