import { createReadStream } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { conversionRequest } from "../../../functions/api/conversion/conversion-request.ts";
import { createBatch } from "../../../functions/api/jobs/create-batch.ts";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { getUpload } from "../../../functions/api/uploads/get-upload.ts";
import { engineIds } from "../../../functions/domain/conversions/engines.ts";
import { currentOptions } from "../../../functions/domain/conversions/former-names.ts";
import { optionFromText } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { RequestError } from "../../../functions/domain/errors.ts";
import { type Job, jobView } from "../../../functions/domain/jobs/job.ts";
import { batchSchema, jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import { uploadSchema } from "../../../functions/domain/uploads/upload-views.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import {
  accountRecord,
  completedOutcome,
  jobRecord,
  NOW,
  quotaRecord,
  uploadRecord,
} from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** Names of version 0.1: accepted in requests until 0.3.0, and read from stored records. */

let world: World;
let accountId: string;
let uploadId: string;
beforeEach(async () => {
  world = makeWorld(NOW);
  const account = accountRecord();
  accountId = account.id;
  await world.context.accounts.createAccount(account);
  const upload = uploadRecord({ accountId });
  uploadId = upload.id;
  const path = join(import.meta.dirname, "../../fixtures/sample.png");
  await world.context.files.storeStream(upload.key, createReadStream(path), 1e9);
  await world.context.uploads.createUpload(upload, undefined);
});
afterEach(() => world.close());

const routes = planRoutes(new Set(engineIds));
const context = () => ({ ...world.context, routes });
const about = () => ({ accountId, claim: quotaRecord(accountId, 100), now: NOW });
const create = async (options: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const body = conversionRequest.parse({ upload_id: uploadId, target_format: "svg", options });
  const {
    status,
    headers: sent,
    body: view,
  } = await createJob.run(context())({
    ...requestOf(body),
    ...about(),
    headers,
  });
  return { status, sent, job: jobSchema.parse(view) };
};

/** A job as version 0.1 stored it. */
const formerJob = (): Job => {
  const job = jobRecord({
    accountId,
    uploadId,
    inputKey: `uploads/${uploadId}`,
    targetFormat: "svg",
    filename: "a.svg",
  });
  const steps = [{ engine: "vectorizer", from: "png", to: "svg", options: ["colours", "width"] }];
  return { ...job, ...JSON.parse(JSON.stringify({ steps, options: { colours: "black_white" } })) };
};

describe("a request with a former name", () => {
  it("creates a job with the current name of the option and of its choice", async () => {
    expect((await create({ colours: "colour" })).job.options).toEqual({ colors: "color" });
    expect((await create({ colours: "black_white" })).job.options).toEqual({ colors: "black_white" });
    expect((await create({ colors: "colour" })).job.options).toEqual({ colors: "color" });
    expect((await create({ colors: "color", width: 9 })).job.options).toEqual({ colors: "color", width: 9 });
  });

  it("is rejected when it has both names", async () => {
    await expect(create({ colours: "colour", colors: "color" })).rejects.toMatchObject({
      code: "invalid_options",
      message: "Invalid options for this conversion. `colours` is the former name of `colors`. Send only `colors`.",
      extra: { errors: [{ pointer: "/options/colours", code: "duplicate" }] },
    } satisfies Partial<Record<keyof RequestError, unknown>>);
  });

  it("is accepted in a batch, and repeated by its idempotency key", async () => {
    const conversions = [{ upload_id: uploadId, target_format: "svg", options: { colours: "black_white" } }];
    const { body } = await createBatch.run(context())({ ...requestOf({ conversions }), ...about() });
    expect(batchSchema.parse(body).items.map(({ job }) => job?.options)).toEqual([{ colors: "black_white" }]);
    const key = { "idempotency-key": "one" };
    const first = await create({ colours: "black_white" }, key);
    const second = await create({ colours: "black_white" }, key);
    expect([second.job.id, second.sent?.["idempotent-replayed"]]).toEqual([first.job.id, "true"]);
  });

  it("keeps all other options as they are, whatever their names", () => {
    const others: Record<string, unknown> = JSON.parse('{"__proto__": 1, "constructor": "colour", "colour": "x"}');
    expect(Object.entries(currentOptions(others))).toEqual(Object.entries(others));
    expect(optionFromText("colours", "black_white")).toBe("black_white");
  });

  it("accepts the former values of `ocr`, which was a boolean", () => {
    expect([currentOptions({ ocr: true }), currentOptions({ ocr: false })]).toEqual([{ ocr: "auto" }, { ocr: "off" }]);
    expect(currentOptions({ ocr: "force", lossless: true })).toEqual({ ocr: "force", lossless: true });
    const typed = ["true", "false", "", "force"].map((text) => optionFromText("ocr", text));
    expect(typed).toEqual(["auto", "off", "auto", "force"]);
  });

  it("accepts the former values of `strip_metadata`, which was a boolean", () => {
    const former = [true, false].map((value) => currentOptions({ strip_metadata: value }));
    expect(former).toEqual([{ strip_metadata: "all" }, { strip_metadata: "none" }]);
    const typed = ["true", "false", "", "gps"].map((text) => optionFromText("strip_metadata", text));
    expect(typed).toEqual(["all", "none", "all", "gps"]);
  });
});

describe("a record of version 0.1", () => {
  it("is shown with current names, and converts with its options", async () => {
    const { jobs } = world.context;
    const former = formerJob();
    await jobs.createJob(former, undefined, undefined);
    const stored = await jobs.getJob(former.id);
    expect(stored).toMatchObject({ options: { colors: "black_white" }, steps: [{ options: ["colors", "width"] }] });
    const [listed] = (await jobs.listJobs({ accountId, limit: 1, now: NOW })).items;
    expect(listed).toEqual(stored);
    const chosen: unknown[] = [];
    const run = convertFile(world.context, (task, { onProgress }) => {
      chosen.push(task.options, task.steps);
      return convert(task, onProgress);
    });
    expect(await run({ jobId: former.id, accountId })).toBe("done");
    expect(chosen).toEqual([{ colors: "black_white" }, stored?.steps]);
    expect(await jobs.getJob(former.id)).toMatchObject({ status: "completed" });
  });

  it("keeps the lane that recognizes the text of scans", async () => {
    const { jobs } = world.context;
    const former: Job = JSON.parse(JSON.stringify({ ...formerJob(), ocrLane: "documents" }));
    await jobs.createJob(former, undefined, undefined);
    const stored = await jobs.getJob(former.id);
    expect(stored).toMatchObject({ helperLane: "documents" });
    expect(stored).not.toHaveProperty("ocrLane");
    const lanes: unknown[] = [];
    const run = convertFile(world.context, (task, { onProgress }) => {
      lanes.push(task.helper);
      return convert(task, onProgress);
    });
    expect(await run({ jobId: former.id, accountId })).toBe("done");
    expect(lanes).toEqual(["elsewhere"]);
  });

  it("has current warning codes", async () => {
    const { jobs } = world.context;
    const former = formerJob();
    await jobs.createJob(former, undefined, undefined);
    const warnings = [{ code: "colours_converted", detail: "x" }];
    await jobs.finish(former.id, 0, { ...completedOutcome(former.id, 0), warnings }, NOW);
    const job = await jobs.getJob(former.id);
    expect(job && jobView(job, "", NOW).warnings).toEqual([{ code: "colors_converted", detail: "x" }]);
  });

  it("of a failed upload is shown with the current error code and its title", async () => {
    const { bytes: _, sha256: __, format: ___, ...upload } = uploadRecord({ accountId });
    const error = JSON.parse('{"code": "unrecognised_format", "detail": "x"}');
    await world.context.uploads.createUpload({ ...upload, status: "failed", error }, undefined);
    const request = { ...requestOf(undefined), ...about(), params: { id: upload.id } };
    const view = uploadSchema.parse((await getUpload.run(world.context)(request)).body);
    expect(view.error).toEqual({
      code: "unrecognized_format",
      title: "Unrecognized file format",
      detail: "x",
      retryable: false,
    });
  });
});
