import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { EngineId } from "../../functions/domain/conversions/engines.ts";
import type { LaneId } from "../../functions/domain/conversions/lanes.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { FileRefused, HelperNeeded } from "../../functions/engines/core/engine.ts";
import type { ConversionResult } from "../../functions/engines/core/task.ts";
import { convertFile } from "../../functions/events/convert-file.ts";
import type { RunConversion } from "../../functions/events/convert-inputs.ts";
import { requeueJob } from "../../functions/events/requeue-job.ts";
import { tiffOfDoubles } from "../engines/support/fallback.ts";
import { eventWorld, failing, inThisProcess } from "./event-world.ts";

const at = eventWorld();
const { acceptedJob, used } = at;

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
    const convert = convertFile(at.world.context, readingIn(seen));
    const messageIn = (lane: LaneId) => ({ jobId: job.id, accountId: "acc_1", lane });
    const [old, next] = [messageIn("fast"), messageIn("documents")];
    const outcomes = await Promise.all([convert(old), convert(old)]);
    expect(outcomes.sort()).toEqual(["done", "moved"]);
    const before = at.world.sent.length;
    await requeueJob(at.world.context)(job.id);
    expect(at.world.sent.slice(before)).toEqual([{ jobId: job.id, accountId: "acc_1", inputBytes: job.inputBytes }]);
    expect(await convert(old)).toBe("done");
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "queued", lane: "documents" });
    expect(await Promise.all([convert(next), convert(next), convert(old)])).toEqual(["done", "done", "done"]);
    expect(seen).toEqual(["elsewhere", "here"]);
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "completed", attempt: 2 });
    expect(await used()).toBe(1);
  });

  it("has all attempts in its new lane", async () => {
    const job = await acceptedJob({ helperLane: "documents" });
    await convertFile(at.world.context, readingIn([]))({ jobId: job.id, accountId: "acc_1" });
    const crash = () => convertFile(at.world.context, failing("engine_failed"))({ jobId: job.id, accountId: "acc_1" });
    expect([await crash(), await crash(), await crash()]).toEqual(["retry", "retry", "done"]);
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({ status: "failed", attempt: 4 });
  });

  it("gets the place of the helper from its lane, and none if no lane has it", async () => {
    for (const [helperLane, helper] of [
      ["fast", "here"],
      [undefined, undefined],
    ] as const) {
      const seen: (string | undefined)[] = [];
      const job = await acceptedJob(helperLane === undefined ? {} : { helperLane });
      await convertFile(at.world.context, readingIn(seen))({ jobId: job.id, accountId: "acc_1" });
      expect(seen).toEqual([helper]);
    }
  });
});

describe("a job whose file the first engine refuses", () => {
  /** @returns the job for a TIFF that sharp does not support */
  const jobOfDoubles = async (): Promise<Job> => {
    const route = at.world.context.routes.find("tiff", "jpg");
    const path = join(at.world.folder, "doubles.tiff");
    writeFileSync(path, tiffOfDoubles(64, 32));
    const steps = { steps: route?.steps ?? [], sourceFormat: "tiff", options: { width: 16 } } as const;
    return acceptedJob(steps, path);
  };
  const withFfmpeg = () => ({ ...at.world.context, routes: planRoutes(new Set(["sharp", "magick", "ffmpeg"])) });
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
    expect(await convertFile(at.world.context, inThisProcess)({ jobId: job.id, accountId: "acc_1" })).toBe("done");
    const ended = await at.world.context.jobs.getJob(job.id);
    expect(ended).toMatchObject({ status: "completed", attempt: 1, lane: "fast" });
    expect(ended?.steps.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
    expect(ended?.timings?.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
    expect(ended?.warnings).toContainEqual({
      code: "fallback_engine",
      detail: "sharp could not read the file, so it was read with magick.",
    });
    const path = await at.world.context.files.fetch(ended?.result?.key ?? "", at.world.folder);
    expect((await sharp(path).metadata()).width).toBe(16);
  });

  it("moves to the lane of the next engine, and is converted there", async () => {
    const job = await jobOfDoubles();
    const run = refusing("magick", async (task, limits) =>
      task.steps[0]?.engine === "ffmpeg" ? finished(task.folder) : inThisProcess(task, limits),
    );
    const convert = convertFile(withFfmpeg(), run);
    expect(await convert({ jobId: job.id, accountId: "acc_1", lane: "fast" })).toBe("moved");
    const moved = await at.world.context.jobs.getJob(job.id);
    expect(moved).toMatchObject({ status: "queued", lane: "media", refusal: { tried: ["sharp", "magick"] } });
    expect(await convert({ jobId: job.id, accountId: "acc_1", lane: "media" })).toBe("done");
    const ended = await at.world.context.jobs.getJob(job.id);
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
    expect(await at.world.context.jobs.getJob(job.id)).toMatchObject({
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
