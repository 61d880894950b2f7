import { randomBytes } from "node:crypto";
import { createReadStream, existsSync, readdirSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EngineId } from "../../functions/domain/conversions/engines.ts";
import type { LaneId } from "../../functions/domain/conversions/lanes.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { JobError } from "../../functions/domain/errors.ts";
import { newId } from "../../functions/domain/ids.ts";
import { type Job, leaseUntil, newJob, resultKey } from "../../functions/domain/jobs/job.ts";
import { uploadKey } from "../../functions/domain/uploads/upload.ts";
import { type ConversionResult, convert } from "../../functions/engines/core/convert.ts";
import { FileRefused, HelperNeeded } from "../../functions/engines/core/engine.ts";
import { convertFile, type RunConversion } from "../../functions/events/convert-file.ts";
import { failJob } from "../../functions/events/fail-job.ts";
import { requeueJob } from "../../functions/events/requeue-job.ts";
import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { tiffOfDoubles } from "../engines/support/fallback.ts";
import { makeWorld, type World } from "../support/world.ts";

/** The event handlers with real stores and engines, and a test clock. */

const MONTH = "2026-11";
const START = Date.parse("2026-11-21T12:00:00Z");
/** Milliseconds for two polls of a running job, one per second, on a busy machine. */
const LOOKS_MS_MAX = 30_000;

let world: World;
beforeEach(() => {
  world = makeWorld(START);
});
afterEach(() => world.close());

const inThisProcess: RunConversion = (task, { onProgress }) => convert(task, onProgress);
const failing =
  (code: ConstructorParameters<typeof JobError>[0]): RunConversion =>
  async () => {
    throw new JobError(code, "as the test wants it");
  };

const acceptedJob = async (
  overrides: Partial<Job> = {},
  path = join(import.meta.dirname, "../fixtures/sample.png"),
): Promise<Job> => {
  const id = newId("upload", world.now, randomBytes);
  await world.context.files.storeStream(uploadKey(id), createReadStream(path), 1e9);
  const route = world.context.routes.find("png", "jpg");
  if (route === undefined) {
    throw new TypeError("There is no route from png to jpg.");
  }
  const job = newJob({
    id: newId("job", world.now, randomBytes),
    accountId: "acc_1",
    uploadId: id,
    inputKey: uploadKey(id),
    inputBytes: 1,
    sourceFormat: "png",
    targetFormat: "jpg",
    options: {},
    steps: route.steps,
    fidelity: route.fidelity,
    lane: route.lane,
    filename: "sample.jpg",
    quotaMonth: MONTH,
    createdAt: world.now,
    ...overrides,
  });
  await world.context.jobs.createJob(job, { accountId: "acc_1", month: MONTH, day: 20, kind: "convert", limit: 10 });
  return job;
};

const used = () => world.context.quotas.used("acc_1", MONTH);

/** @returns the attempts of the job that have a file */
const storedAttempts = async (jobId: string): Promise<number[]> => {
  const paths = await Promise.all(
    [1, 2, 3].map((attempt) => world.context.files.fetch(resultKey(jobId, attempt), world.folder)),
  );
  return paths.flatMap((path, index) => (path === undefined ? [] : [index + 1]));
};

describe("converting a file", () => {
  it("ends the job with a valid result and leaves no files in the scratch folder", async () => {
    const job = await acceptedJob();
    expect(await convertFile(world.context, inThisProcess)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    const ended = await world.context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 1, progress: 100 });
    const path = await world.context.files.fetch(ended?.result?.key ?? "", world.folder);
    expect((await sharp(path).metadata()).format).toBe("jpeg");
    const scratch = (await readdir(world.folder)).filter((name) => name.startsWith("job-"));
    expect(await Promise.all(scratch.map((name) => readdir(join(world.folder, name))))).toEqual(scratch.map(() => []));
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
    await Promise.all([convertFile(world.context, counted)(message), convertFile(world.context, counted)(message)]);
    await convertFile(world.context, counted)(message);
    expect(runs).toBe(1);
    expect((await world.context.jobs.getJob(job.id))?.attempt).toBe(1);
    expect(await storedAttempts(job.id)).toEqual([1]);
  });

  it("fails the job immediately for invalid input, without returning the request", async () => {
    const job = await acceptedJob();
    expect(await convertFile(world.context, failing("source_corrupt"))({ jobId: job.id, accountId: "acc_1" })).toBe(
      "done",
    );
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "source_corrupt" },
    });
    expect(await used()).toBe(1);
  });

  it("attempts internal errors three times, then fails the job and returns the request", async () => {
    const job = await acceptedJob();
    const crash = () => convertFile(world.context, failing("engine_failed"))({ jobId: job.id, accountId: "acc_1" });
    expect([await crash(), await crash(), await crash()]).toEqual(["retry", "retry", "done"]);
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({
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
    expect(await convertFile(world.context, crashing)(message)).toBe("done");
    expect(new Set(folders).size).toBe(2);
    expect(folders.filter((folder) => existsSync(folder) && readdirSync(folder).length > 0)).toEqual([]);
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({
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
    expect(await convertFile(world.context, crashingOnce)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("lets the attempt that took over finish, and discards the late result of the previous one", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    const slow: RunConversion = async (task, limits) => {
      const result = await inThisProcess(task, limits);
      world.now += 3_600_000;
      await convertFile(world.context, inThisProcess)(message);
      return result;
    };
    await convertFile(world.context, slow)(message);
    const ended = await world.context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 2, result: { key: `results/${job.id}/2` } });
    expect(await storedAttempts(job.id)).toEqual([2]);
  });

  it("lets an attempt with an expired lease end its job unless another one claimed it", {
    timeout: 2 * LOOKS_MS_MAX,
  }, async () => {
    const job = await acceptedJob();
    let looks = 0;
    const { getJob } = world.context.jobs;
    const jobs = {
      ...world.context.jobs,
      getJob: (id: string) => {
        looks += 1;
        return getJob(id);
      },
    };
    const late: RunConversion = async (task, limits) => {
      world.now += 3_600_000;
      expect(await sweepJobs(world.context)()).toBe(1);
      const before = looks;
      // The second one began when the job was in the queue again.
      await vi.waitUntil(() => looks >= before + 2 || limits.signal.aborted, { timeout: LOOKS_MS_MAX });
      limits.signal.throwIfAborted();
      return inThisProcess(task, limits);
    };
    await convertFile({ ...world.context, jobs }, late)({ jobId: job.id, accountId: "acc_1" });
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "completed", attempt: 1 });
  });
});

describe("sweeping", () => {
  it("resends the message of an overdue queued job, less often the older the job is", async () => {
    const job = await acceptedJob();
    expect(await sweepJobs(world.context)()).toBe(0);
    world.now += 3 * 60_000;
    expect(await sweepJobs(world.context)()).toBe(1);
    expect(world.sent).toEqual([{ jobId: job.id, accountId: "acc_1", inputBytes: 1 }]);
    expect(await sweepJobs(world.context)()).toBe(0);
    world.now += 10 * 60_000;
    await sweepJobs(world.context)();
    world.now += 3 * 60_000;
    expect(await sweepJobs(world.context)()).toBe(0);
  });

  it("requeues a job with an expired lease, and fails it when its attempts are used up", async () => {
    const job = await acceptedJob();
    for (const attempt of [1, 2, 3]) {
      expect((await world.context.jobs.claim(job.id, world.now))?.attempt).toBe(attempt);
      world.now += 60 * 60_000;
      await Promise.all([sweepJobs(world.context)(), sweepJobs(world.context)()]);
    }
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "engine_crashed" },
    });
    expect(world.sent.length).toBe(2);
    expect(await used()).toBe(0);
  });

  it("queues a job again that was never tried, because throttled deliveries count too, until it is too old", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    const before = world.sent.length;
    expect(await failJob(world.context)(message)).toBe("done");
    expect(world.sent.slice(before)).toEqual([{ ...message, inputBytes: 1 }]);
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "queued" });
    world.now += 6 * 3_600_000;
    expect(await failJob(world.context)(message)).toBe("done");
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "failed" });
  });
});

describe("a job that an attempt has returned", () => {
  it("is queued again at once, unless it has changed in the meantime", async () => {
    const job = await acceptedJob();
    await world.context.jobs.claim(job.id, world.now);
    const before = world.sent.length;
    await requeueJob(world.context)(job.id);
    await world.context.jobs.release(job.id, 1, world.now + 1);
    await requeueJob(world.context)(job.id);
    await requeueJob(world.context)("job_none");
    expect(world.sent.slice(before)).toEqual([{ jobId: job.id, accountId: "acc_1", inputBytes: 1 }]);
  });
});

describe("a job whose file needs another engine", () => {
  /** As in the fast lane: the converter reports that it needs a helper; in the lane with the helper it converts the file. */
  const readingIn =
    (seen: (string | undefined)[]): RunConversion =>
    async (task, limits) => {
      seen.push(task.helper);
      if (task.helper === "elsewhere") {
        throw new HelperNeeded();
      }
      return inThisProcess(task, limits);
    };

  it("moves once to the lane that has it, whatever messages are redelivered, and completes there", async () => {
    const job = await acceptedJob({ helperLane: "documents" });
    const seen: (string | undefined)[] = [];
    const convert = convertFile(world.context, readingIn(seen));
    const messageIn = (lane: LaneId) => ({ jobId: job.id, accountId: "acc_1", lane });
    const [old, next] = [messageIn("fast"), messageIn("documents")];
    const outcomes = await Promise.all([convert(old), convert(old)]);
    expect(outcomes.sort()).toEqual(["done", "moved"]);
    const before = world.sent.length;
    await requeueJob(world.context)(job.id);
    expect(world.sent.slice(before)).toEqual([{ jobId: job.id, accountId: "acc_1", inputBytes: job.inputBytes }]);
    expect(await convert(old)).toBe("done");
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "queued", lane: "documents" });
    expect(await Promise.all([convert(next), convert(next), convert(old)])).toEqual(["done", "done", "done"]);
    expect(seen).toEqual(["elsewhere", "here"]);
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "completed", attempt: 2 });
    expect(await used()).toBe(1);
  });

  it("has all attempts in its new lane", async () => {
    const job = await acceptedJob({ helperLane: "documents" });
    await convertFile(world.context, readingIn([]))({ jobId: job.id, accountId: "acc_1" });
    const crash = () => convertFile(world.context, failing("engine_failed"))({ jobId: job.id, accountId: "acc_1" });
    expect([await crash(), await crash(), await crash()]).toEqual(["retry", "retry", "done"]);
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({ status: "failed", attempt: 4 });
  });

  it("gets the place of the helper from its lane, and none if no lane has it", async () => {
    for (const [helperLane, helper] of [
      ["fast", "here"],
      [undefined, undefined],
    ] as const) {
      const seen: (string | undefined)[] = [];
      const job = await acceptedJob(helperLane === undefined ? {} : { helperLane });
      await convertFile(world.context, readingIn(seen))({ jobId: job.id, accountId: "acc_1" });
      expect(seen).toEqual([helper]);
    }
  });
});

describe("a job whose file the first engine refuses", () => {
  /** @returns the job for a TIFF that sharp does not support */
  const jobOfDoubles = async (): Promise<Job> => {
    const route = world.context.routes.find("tiff", "jpg");
    const path = join(world.folder, "doubles.tiff");
    writeFileSync(path, tiffOfDoubles(64, 32));
    const steps = { steps: route?.steps ?? [], sourceFormat: "tiff", options: { width: 16 } } as const;
    return acceptedJob(steps, path);
  };
  const withFfmpeg = () => ({ ...world.context, routes: planRoutes(new Set(["sharp", "magick", "ffmpeg"])) });
  const refusing =
    (engine: EngineId, otherwise: RunConversion): RunConversion =>
    async (task, limits) => {
      if (task.steps[0]?.engine === engine) {
        throw new FileRefused("source_corrupt", `${engine} says no.`);
      }
      return otherwise(task, limits);
    };

  it("is converted with the next engine in the same attempt, and shows its steps and a warning", async () => {
    const job = await jobOfDoubles();
    expect(await convertFile(world.context, inThisProcess)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    const ended = await world.context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 1, lane: "fast" });
    expect(ended?.steps.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
    expect(ended?.timings?.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
    expect(ended?.warnings).toContainEqual({
      code: "fallback_engine",
      detail: "sharp could not read the file, so it was read with magick.",
    });
    const path = await world.context.files.fetch(ended?.result?.key ?? "", world.folder);
    expect((await sharp(path).metadata()).width).toBe(16);
  });

  it("moves to the lane of the next engine, and is converted there", async () => {
    const job = await jobOfDoubles();
    const run = refusing("magick", async (task, limits) =>
      task.steps[0]?.engine === "ffmpeg" ? finished(task.folder) : inThisProcess(task, limits),
    );
    const convert = convertFile(withFfmpeg(), run);
    expect(await convert({ jobId: job.id, accountId: "acc_1", lane: "fast" })).toBe("moved");
    const moved = await world.context.jobs.getJob(job.id);
    expect(moved).toMatchObject({ status: "queued", lane: "media", refusal: { tried: ["sharp", "magick"] } });
    expect(await convert({ jobId: job.id, accountId: "acc_1", lane: "media" })).toBe("done");
    const ended = await world.context.jobs.getJob(job.id);
    expect(ended?.steps.map(({ engine }) => engine)).toEqual(["ffmpeg", "sharp"]);
    expect(ended?.warnings?.[0]?.detail).toContain("sharp and magick could not read the file");
  });

  it("fails with the error of the first engine if none reads it", async () => {
    const job = await jobOfDoubles();
    let runs = 0;
    const run: RunConversion = async ({ steps }) => {
      runs += 1;
      throw new FileRefused("source_corrupt", `${steps[0]?.engine} says no.`);
    };
    const convert = convertFile(withFfmpeg(), run);
    await convert({ jobId: job.id, accountId: "acc_1", lane: "fast" });
    await convert({ jobId: job.id, accountId: "acc_1", lane: "media" });
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "source_corrupt", detail: "sharp says no." },
    });
    expect(runs).toBe(3);
    expect(await used()).toBe(1);
  });
});

/** @returns the result of a conversion by programs that the test does not need */
const finished = async (folder: string): Promise<ConversionResult> => {
  const output = join(folder, "result.jpg");
  writeFileSync(output, "x");
  return { output, bundled: false, timings: [], warnings: [] };
};

describe("a dead letter", () => {
  it("fails its job once and returns the request, but does not change a running or ended job", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    await world.context.jobs.claim(job.id, world.now);
    expect(await failJob(world.context)(message)).toBe("retry");
    world.now = leaseUntil(job.lane, world.now) + 1;
    expect(await failJob(world.context)(message)).toBe("done");
    expect(await failJob(world.context)(message)).toBe("done");
    expect(await world.context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      error: { code: "engine_crashed" },
    });
    expect(await used()).toBe(0);
  });
});
