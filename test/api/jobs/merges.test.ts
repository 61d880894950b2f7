import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConversionRequest } from "../../../functions/api/conversion/conversion-request.ts";
import { conversionRequest } from "../../../functions/api/conversion/conversion-request.ts";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { FAST_INPUT_BYTES_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { engineIds } from "../../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { JobError } from "../../../functions/domain/errors.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { jobView } from "../../../functions/domain/jobs/job.ts";
import { jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import { MERGED_UPLOADS_MAX } from "../../../functions/domain/limits.ts";
import type { ReadyUpload } from "../../../functions/domain/uploads/upload.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
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

const uploaded = async (filename: string, format: FormatId, over: Partial<ReadyUpload> = {}): Promise<string> => {
  const upload = uploadRecord({ accountId, filename, format, ...over });
  await world.context.files.storeStream(upload.key, Readable.from([Buffer.from(filename)]), 100);
  await world.context.uploads.createUpload(upload, undefined);
  return upload.id;
};

const convert = async (upload_ids: string[], target_format: string, options: Record<string, unknown> = {}) => {
  const body: ConversionRequest = { upload_ids, target_format, options };
  const context = { ...world.context, routes };
  const request = { ...requestOf(body), accountId, claim: quotaRecord(accountId, 100), now: world.now };
  const { id } = jobSchema.parse((await createJob.run(context)(request)).body);
  return world.context.jobs.getJob(id);
};

const used = () => world.context.quotas.used(accountId, "2026-11");

describe("merging uploads", () => {
  test("creates one job and counts one request, with the format of each upload, in order", async () => {
    const ids = [await uploaded("a.jpg", "jpg"), await uploaded("b.png", "png"), await uploaded("c.heic", "heic")];
    const job = await convert(ids, "pdf", { page_size: "a4", quality: 70 });
    expect(job).toMatchObject({
      uploadId: ids[0],
      sourceFormat: "jpg",
      filename: "a.pdf",
      fidelity: "lossy",
      options: { page_size: "a4", quality: 70 },
      steps: [{ engine: "pdflib", from: "jpg", to: "pdf" }],
      further: [
        { uploadId: ids[1], format: "png" },
        { uploadId: ids[2], format: "heic" },
      ],
    });
    expect(job?.further?.[0]).not.toHaveProperty("inputFilename");
    expect(await used()).toBe(1);
  });

  test("gives the converter files with their formats, and archive members with their names", async () => {
    const ids = [await uploaded("a.docx", "docx"), await uploaded("ä.mp3", "mp3")];
    const job = await convert(ids, "zip", { level: 9 });
    const tasks: unknown[] = [];
    await convertFile(world.context, async (task) => {
      tasks.push(task);
      throw new JobError("source_corrupt", "The test has seen enough.");
    })({ jobId: job?.id ?? "", accountId });
    expect(tasks).toMatchObject([
      {
        name: "a.docx",
        options: { level: 9 },
        steps: [{ engine: "archive", from: "docx", to: "zip", packs: true }],
        further: [{ from: "mp3", name: "ä.mp3", path: expect.stringContaining("/") }],
      },
    ]);
  });

  test("converts the files that cannot be merged as they are, and shows all steps in order", async () => {
    const ids = [await uploaded("a.docx", "docx"), await uploaded("b.jpg", "jpg"), await uploaded("c.md", "md")];
    const job = await convert(ids, "pdf");
    const own = routes.find("md", "pdf")?.steps ?? [];
    expect(job).toMatchObject({
      sourceFormat: "docx",
      filename: "a.pdf",
      lane: "documents",
      further: [{ format: "jpg" }, { format: "md", steps: own }],
    });
    expect(job?.further?.[0]).not.toHaveProperty("steps");
    const shown = job && jobView(job, "", NOW).steps.map(({ from, to }) => `${from} ${to}`);
    expect(shown).toEqual(["docx pdf", ...own.map(({ from, to }) => `${from} ${to}`), "pdf pdf"]);
    const tasks: unknown[] = [];
    await convertFile(world.context, async (task) => {
      tasks.push(task);
      throw new JobError("source_corrupt", "The test has seen enough.");
    })({ jobId: job?.id ?? "", accountId });
    expect(tasks).toMatchObject([{ further: [{ from: "jpg" }, { from: "md", steps: own }] }]);
  });

  test("accepts a single upload, which is packed or converted by itself", async () => {
    expect((await convert([await uploaded("a.png", "png")], "tar"))?.steps).toMatchObject([{ packs: true }]);
    expect((await convert([await uploaded("a.docx", "docx")], "pdf"))?.steps).toEqual(
      routes.find("docx", "pdf")?.steps,
    );
  });
});

describe("uploads are rejected without counting a request", () => {
  afterEach(async () => expect(await used()).toBe(0));

  const refused: readonly [string, [string, FormatId][], string, RegExp][] = [
    [
      "with a file that cannot be converted first",
      [
        ["a.jpg", "jpg"],
        ["b.mp4", "mp4"],
      ],
      "pdf",
      /^mp4 files cannot be merged .* It takes/,
    ],
    [
      "that cannot be merged",
      [
        ["a.jpg", "jpg"],
        ["b.jpg", "jpg"],
      ],
      "svg",
      /^Files cannot be merged into SVG/,
    ],
    [
      "with an unknown target format",
      [
        ["a.jpg", "jpg"],
        ["b.jpg", "jpg"],
      ],
      "nothing",
      /^Unknown format "nothing"\. Supported targets: /,
    ],
    ["when a single upload cannot be converted to the target", [["a.jpg", "jpg"]], "mp3", /cannot be converted to mp3/],
  ];
  test.each(refused)("%s", async (_, files, target, message) => {
    const ids = await Promise.all(files.map(([name, format]) => uploaded(name, format)));
    await expect(convert(ids, target)).rejects.toMatchObject({
      code: "unsupported_conversion",
      message: expect.stringMatching(message),
    });
  });

  test("with options that the merge does not accept", async () => {
    const ids = [await uploaded("a.jpg", "jpg"), await uploaded("b.png", "png")];
    await expect(convert(ids, "gif", { delay: 5 })).rejects.toMatchObject({ code: "invalid_options" });
    await expect(convert(ids, "zip", { quality: 5 })).rejects.toMatchObject({ code: "invalid_options" });
    await expect(convert(ids.slice(0, 1), "gif", { delay: 50 })).rejects.toMatchObject({ code: "invalid_options" });
  });

  test("when one belongs to another account", async () => {
    const ids = [await uploaded("a.jpg", "jpg"), await uploaded("b.jpg", "jpg", { accountId: accountRecord().id })];
    await expect(convert(ids, "pdf")).rejects.toMatchObject({ code: "not_found" });
  });

  test("when one has expired", async () => {
    const ids = [await uploaded("a.jpg", "jpg"), await uploaded("b.jpg", "jpg", { expiresAt: NOW })];
    await expect(convert(ids, "pdf")).rejects.toMatchObject({ code: "expired" });
  });

  test("when they are too large together", async () => {
    const bytes = FAST_INPUT_BYTES_MAX / 2 + 1;
    const ids = [await uploaded("a.jpg", "jpg", { bytes }), await uploaded("b.jpg", "jpg", { bytes })];
    await expect(convert(ids, "zip")).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("when they are too many", () => {
    const body = (count: number) => ({
      upload_ids: Array.from({ length: count }, () => "upl_1"),
      target_format: "zip",
    });
    expect(conversionRequest.safeParse(body(MERGED_UPLOADS_MAX)).success).toBe(true);
    expect(conversionRequest.safeParse(body(MERGED_UPLOADS_MAX + 1)).success).toBe(false);
    expect(conversionRequest.safeParse(body(0)).success).toBe(false);
  });
});
