import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { detectFormat } from "../../functions/domain/detect.ts";
import { JobError } from "../../functions/domain/errors.ts";
import { newId } from "../../functions/domain/ids.ts";
import { type Job, newJob, resultKey } from "../../functions/domain/jobs.ts";
import type { Context, JobMessage } from "../../functions/domain/ports.ts";
import { planRoutes } from "../../functions/domain/routes.ts";
import { uploadKey } from "../../functions/domain/uploads.ts";
import { convert } from "../../functions/engines/convert.ts";
import { convertFile, type RunConversion } from "../../functions/events/convert-file.ts";
import { failJob } from "../../functions/events/fail-job.ts";
import { sweepJobs } from "../../functions/events/sweep-jobs.ts";
import { openDatabase } from "../../local/database.ts";
import { folderFiles } from "../../local/folder-files.ts";
import { jobNotices } from "../../local/job-notices.ts";
import { sqliteAccounts } from "../../local/sqlite-accounts.ts";
import { sqliteJobs } from "../../local/sqlite-jobs.ts";
import { sqliteQueue } from "../../local/sqlite-queue.ts";
import { sqliteQuotas } from "../../local/sqlite-quotas.ts";
import { sqliteUploads } from "../../local/sqlite-uploads.ts";

/** The event handlers on real stores and real engines; only the clock is the test's. */

const MONTH = "2026-11";
const START = Date.parse("2026-11-21T12:00:00Z");

let folder: string;
let now: number;
let sent: JobMessage[];
let context: Context;
let close: () => void;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "anyform-events-"));
  now = START;
  sent = [];
  const database = openDatabase(folder);
  close = () => database.close();
  const queue = sqliteQueue(database, { receivesMax: 4 });
  context = {
    accounts: sqliteAccounts(database),
    quotas: sqliteQuotas(database),
    uploads: sqliteUploads(database),
    jobs: sqliteJobs(database),
    files: folderFiles({ folder: join(folder, "files"), baseUrl: () => "", secret: randomBytes(32), clock: () => now }),
    queue: {
      send: async (lane, message) => {
        sent.push(message);
        await queue.send(lane, message);
      },
    },
    notices: jobNotices(),
    routes: planRoutes(new Set(["sharp", "magick"])),
    engines: new Map(),
    uploadBytesMax: 1e9,
    scratchFolder: folder,
    converterEntry: "",
    clock: () => now,
    random: randomBytes,
  };
});

afterEach(async () => {
  close();
  await rm(folder, { recursive: true, force: true });
});

const inThisProcess: RunConversion = (task, { onProgress }) => convert(task, onProgress);
const failing =
  (code: ConstructorParameters<typeof JobError>[0]): RunConversion =>
  async () => {
    throw new JobError(code, "as the test wants it");
  };

const acceptedJob = async (): Promise<Job> => {
  const id = newId("upload", now, randomBytes);
  const path = join(folder, "input.png");
  await copyFile(join(import.meta.dirname, "../fixtures/sample.png"), path);
  expect(detectFormat(await readFile(path))).toBe("png");
  await context.files.storeStream(uploadKey(id), createReadStream(path), 1e9);
  const route = context.routes.find("png", "jpg");
  if (route === undefined) {
    throw new TypeError("There is no route from png to jpg.");
  }
  const job = newJob({
    id: newId("job", now, randomBytes),
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
    createdAt: now,
  });
  await context.jobs.createJob(job, { accountId: "acc_1", month: MONTH, limit: 10 });
  return job;
};

const used = () => context.quotas.used("acc_1", MONTH);

/** @returns the attempts of the job that have a file */
const storedAttempts = async (jobId: string): Promise<number[]> => {
  const paths = await Promise.all([1, 2, 3].map((attempt) => context.files.fetch(resultKey(jobId, attempt), folder)));
  return paths.flatMap((path, index) => (path === undefined ? [] : [index + 1]));
};

describe("converting a file", () => {
  it("ends the job with a result that opens, and leaves nothing in the scratch folder", async () => {
    const job = await acceptedJob();
    expect(await convertFile(context, inThisProcess)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    const ended = await context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 1, progress: 100 });
    const path = await context.files.fetch(ended?.result?.key ?? "", folder);
    expect((await sharp(path).metadata()).format).toBe("jpeg");
    const scratch = (await readdir(folder)).filter((name) => name.startsWith("job-"));
    expect(await Promise.all(scratch.map((name) => readdir(join(folder, name))))).toEqual(scratch.map(() => []));
    expect(await used()).toBe(1);
  });

  it("gives one result for a message that is delivered twice, at once and again later", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    let runs = 0;
    const counted: RunConversion = (task, limits) => {
      runs += 1;
      return inThisProcess(task, limits);
    };
    await Promise.all([convertFile(context, counted)(message), convertFile(context, counted)(message)]);
    await convertFile(context, counted)(message);
    expect(runs).toBe(1);
    expect((await context.jobs.getJob(job.id))?.attempt).toBe(1);
    expect(await storedAttempts(job.id)).toEqual([1]);
  });

  it("fails the job at once when its input is bad, and keeps the request", async () => {
    const job = await acceptedJob();
    expect(await convertFile(context, failing("source_corrupt"))({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    expect(await context.jobs.getJob(job.id)).toMatchObject({ status: "failed", error: { code: "source_corrupt" } });
    expect(await used()).toBe(1);
  });

  it("tries trouble of ours three times, then fails the job and gives the request back", async () => {
    const job = await acceptedJob();
    const crash = () => convertFile(context, failing("engine_crashed"))({ jobId: job.id, accountId: "acc_1" });
    expect([await crash(), await crash(), await crash()]).toEqual(["retry", "retry", "done"]);
    expect(await context.jobs.getJob(job.id)).toMatchObject({
      status: "failed",
      attempt: 3,
      error: { code: "engine_crashed" },
    });
    expect(await used()).toBe(0);
    expect(await crash()).toBe("done");
    expect(await used()).toBe(0);
  });

  it("lets the attempt that took over finish, and drops the late result of the one before", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    const slow: RunConversion = async (task, limits) => {
      const result = await inThisProcess(task, limits);
      now += 3_600_000;
      await convertFile(context, inThisProcess)(message);
      return result;
    };
    await convertFile(context, slow)(message);
    const ended = await context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 2, result: { key: `results/${job.id}/2` } });
    expect(await storedAttempts(job.id)).toEqual([2]);
  });
});

describe("sweeping", () => {
  it("sends a queued job's message again once it is overdue, rarer the older the job is", async () => {
    const job = await acceptedJob();
    expect(await sweepJobs(context)()).toBe(0);
    now += 3 * 60_000;
    expect(await sweepJobs(context)()).toBe(1);
    expect(sent).toEqual([{ jobId: job.id, accountId: "acc_1" }]);
    expect(await sweepJobs(context)()).toBe(0);
    now += 10 * 60_000;
    await sweepJobs(context)();
    now += 3 * 60_000;
    expect(await sweepJobs(context)()).toBe(0);
  });

  it("puts a job back whose lease ran out, and fails it when its attempts are used up", async () => {
    const job = await acceptedJob();
    for (const attempt of [1, 2, 3]) {
      expect((await context.jobs.claim(job.id, now, now + 1_000))?.attempt).toBe(attempt);
      now += 60 * 60_000;
      await Promise.all([sweepJobs(context)(), sweepJobs(context)()]);
    }
    expect(await context.jobs.getJob(job.id)).toMatchObject({ status: "failed", error: { code: "engine_crashed" } });
    expect(sent.length).toBe(2);
    expect(await used()).toBe(0);
  });
});

describe("a dead letter", () => {
  it("fails its job once and gives the request back, but leaves alone a job that is being worked on or has ended", async () => {
    const job = await acceptedJob();
    const message = { jobId: job.id, accountId: "acc_1" };
    await context.jobs.claim(job.id, now, now + 1_000);
    expect(await failJob(context)(message)).toBe("retry");
    now += 2_000;
    expect(await failJob(context)(message)).toBe("done");
    expect(await failJob(context)(message)).toBe("done");
    expect(await context.jobs.getJob(job.id)).toMatchObject({ status: "failed", error: { code: "engine_crashed" } });
    expect(await used()).toBe(0);
  });
});
