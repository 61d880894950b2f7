import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { JobError } from "../../../functions/domain/errors.ts";
import type { Job } from "../../../functions/domain/jobs/job.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import { convertBytes } from "../../../functions/engines/core/convert-bytes.ts";
import type { ConverterPool } from "../../../functions/engines/core/run.ts";
import { scratchFolders } from "../../../functions/events/scratch.ts";
import { convertQueued } from "../../../local/queue/bytes-conversions.ts";
import { accountRecord, jobRecord, NOW } from "../../support/world/records.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** Queued jobs whose files are small: their content and result stay in memory. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
const TIFF = readFileSync(join(import.meta.dirname, "../../fixtures/pages.tiff"));

let world: World;
let calls: string[];
/** The pool in this process: what a converter does with its task. */
const pool: Pick<ConverterPool, "run" | "runBytes"> = {
  run: (task) => {
    calls.push("files");
    return convert(task, () => {});
  },
  runBytes: ({ input, ...conversion }) => {
    calls.push("bytes");
    return convertBytes(conversion, Buffer.concat(input));
  },
};
beforeEach(async () => {
  world = makeWorld(NOW);
  calls = [];
  await world.context.accounts.createAccount(accountRecord());
});
afterEach(() => world.close());

/** Converts a file as a queued job. @returns the job, once it has ended */
const convertOne = async (content: Buffer, changes: Partial<Job>, run = pool): Promise<Job | undefined> => {
  const job = jobRecord({ ...changes, inputBytes: content.length });
  await world.context.files.storeStream(job.inputKey, Readable.from([content]), content.length);
  await world.context.jobs.createJob(job, undefined);
  const slot = { free: () => void calls.push("free"), countAsBrief: () => void calls.push("brief") };
  const scratch = scratchFolders(world.folder);
  await convertQueued(world.context, { pool: run, scratch })({ jobId: job.id, accountId: job.accountId }, slot);
  return world.context.jobs.getJob(job.id);
};

const step = (from: Job["sourceFormat"], to: Job["targetFormat"]): Partial<Job> => ({
  sourceFormat: from,
  targetFormat: to,
  steps: [{ engine: "sharp", from, to, options: [] }],
});

const results = () => readdirSync(join(world.folder, "files", "results"));

describe("a queued job", () => {
  test("with a small file is converted in memory, and its result stored before it ends", async () => {
    const job = await convertOne(PNG, step("png", "jpg"));
    expect(job).toMatchObject({ status: "completed", result: { mediaType: "image/jpeg" } });
    expect(calls).toEqual(["brief", "bytes", "free"]);
    const stored = readFileSync(join(world.folder, "files", "results", results()[0] ?? ""));
    expect(stored).toHaveLength(job?.result?.bytes ?? 0);
    const { width, height } = await sharp(PNG).metadata();
    expect(await sharp(stored).metadata()).toMatchObject({ format: "jpeg", width, height });
  });

  test("with several results is converted with files", async () => {
    const job = await convertOne(TIFF, step("tiff", "png"));
    expect(job).toMatchObject({ status: "completed", result: { mediaType: "application/zip" } });
    expect(calls).toEqual(["brief", "bytes", "files", "free"]);
    expect(results()).toHaveLength(1);
  });

  test("with more than a megabyte is converted with files, and is not brief", async () => {
    const noise = await sharp({
      create: {
        width: 700,
        height: 700,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect(noise.length).toBeGreaterThan(1_000_000);
    expect(await convertOne(noise, step("png", "jpg"))).toMatchObject({ status: "completed" });
    expect(calls).toEqual(["files", "free"]);
  });

  test("with a damaged file fails with its error, and stores nothing", async () => {
    const job = await convertOne(PNG.subarray(0, 60), step("png", "jpg"));
    expect(job).toMatchObject({ status: "failed", error: { code: "source_corrupt" } });
    expect(results()).toEqual([]);
  });

  test("whose converter crashes is converted again", async () => {
    const crashing: typeof pool = {
      ...pool,
      runBytes: async (...task) => {
        const isFirst = calls.filter((call) => call === "bytes").length === 0;
        const made = await pool.runBytes(...task);
        if (isFirst) {
          throw new JobError("engine_crashed", "The converter ended.");
        }
        return made;
      },
    };
    expect(await convertOne(PNG, step("png", "jpg"), crashing)).toMatchObject({ status: "completed" });
    expect(results()).toHaveLength(1);
  });
});
