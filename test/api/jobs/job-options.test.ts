import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { engineIds } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import { fixture } from "../../engines/support/fixtures.ts";
import { accountRecord, NOW, quotaRecord, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

const routes = planRoutes(new Set(engineIds));
let world: World;
let accountId: string;
beforeEach(async () => {
  world = makeWorld(NOW);
  const account = accountRecord();
  accountId = account.id;
  await world.context.accounts.createAccount(account);
});
afterEach(() => world.close());

const create = async (format: FormatId, target_format: string, options: Record<string, unknown>, path?: string) => {
  const upload = uploadRecord({ accountId, filename: `a.${format}`, format });
  const bytes = path === undefined ? Buffer.from("not read") : readFileSync(path);
  await world.context.files.storeStream(upload.key, Readable.from([bytes]), bytes.length);
  await world.context.uploads.createUpload(upload, undefined);
  const request = { ...requestOf({ upload_id: upload.id, target_format, options }), accountId, now: world.now };
  const claim = quotaRecord(accountId, 100);
  const { body } = await createJob.run({ ...world.context, routes })({ ...request, claim });
  return jobSchema.parse(body);
};

describe("options that cannot work", () => {
  test.each<[FormatId, string, Record<string, unknown>]>([
    ["mp4", "webm", { video_codec: "h264" }],
    ["mp4", "webm", { audio_codec: "mp3" }],
    ["wav", "mp3", { audio_bitrate: 1_000 }],
    ["pdf", "png", { pages: "0" }],
    ["csv", "json", { encoding: "nope" }],
  ])("of %s to %s are rejected and not counted: %j", async (from, to, options) => {
    const [name = ""] = Object.keys(options);
    await expect(create(from, to, options)).rejects.toMatchObject({
      code: "invalid_options",
      message: expect.stringContaining(`\`${name}\` must be`),
      extra: { errors: [{ pointer: `/options/${name}` }] },
    });
    expect(await world.context.quotas.used(accountId, "2026-11")).toBe(0);
  });
});

describe("options without effect", () => {
  test("give the accepted job a warning", async () => {
    const { warnings, options, steps } = await create("pdf", "pdf", { dpi: 72 });
    expect({ warnings, options, engines: steps.map(({ engine }) => engine) }).toEqual({
      warnings: [{ code: "option_without_effect", detail: "`dpi` has no effect without `ocr` or `ocr_language`." }],
      options: { dpi: 72 },
      engines: ["pdflib"],
    });
  });

  test("are among the warnings of the completed job, before those of the conversion", async () => {
    const { id } = await create("gif", "jpg", { width: 40, fit: "fill" }, fixture("animated.gif"));
    await convertFile(world.context, (task, { onProgress }) => convert(task, onProgress))({ jobId: id, accountId });
    const job = await world.context.jobs.getJob(id);
    expect([job?.status, job?.warnings?.map(({ code }) => code)]).toEqual([
      "completed",
      ["option_without_effect", "frames_dropped"],
    ]);
  });

  test("are not reported when every option has an effect", async () => {
    expect((await create("png", "webp", { quality: 50 })).warnings).toEqual([]);
  });
});
