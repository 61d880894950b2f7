import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { deleteJob } from "../../../functions/api/jobs/delete-job.ts";
import type { FileStore } from "../../../functions/domain/file-ports.ts";
import type { Context, JobStore } from "../../../functions/domain/ports.ts";
import { messageIdOf } from "../../../functions/domain/webhooks/message.ts";
import type { WebhookStore } from "../../../functions/domain/webhooks/webhook-ports.ts";
import { announceEnd } from "../../../functions/events/announce-end.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import type { RunConversion } from "../../../functions/events/convert-inputs.ts";
import { jobRecord, NOW, uploadRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";
import type { JobStoreHarness } from "./job-store.ts";

/** When a deletion happens: after this step of the conversion or of the announcement of its end. */
type Moment = "claim" | "convert" | "storeFile" | "finish" | "create";

/** The part of the JobStore contract about jobs that are deleted while they end. */
export const describeDeletions = (harness: () => JobStoreHarness): void => {
  let world: World;
  beforeEach(() => {
    world = makeWorld(NOW);
  });
  afterEach(() => world.close());

  const cases = (["claim", "convert", "storeFile", "finish", "create"] as const).flatMap((moment) =>
    (["once", "twice", "concurrently"] as const).map((how) => [moment, how] as const),
  );

  it.each(cases)("leaves no record, file or message of a job that is deleted after %s, %s", async (moment, how) => {
    const { base, accountId, id } = await acceptedOn(world, harness());
    const remove = () => deleteJob.run(base)({ ...requestOf(undefined), accountId, params: { id }, now: NOW });
    const removals: Promise<unknown>[] = [];
    const context = interrupted(base, moment, async () => {
      removals.push(remove().catch(notFound));
      await (how === "concurrently" ? undefined : removals[0]);
      await (how === "twice" ? remove().catch(notFound) : undefined);
    });
    const run: RunConversion = async ({ folder }) => {
      const output = join(folder, "result");
      writeFileSync(output, "result");
      if (moment === "convert") {
        removals.push(remove());
        await (how === "concurrently" ? undefined : removals[0]);
      }
      return { output, bundled: false, timings: [], warnings: [] };
    };
    await convertFile(context, run)({ jobId: id, accountId });
    await announceEnd(context)(id);
    await Promise.all(removals);
    // The first deletion cancels the job if it is in time; another one then erases it.
    await remove().catch(notFound);
    expect(await base.jobs.getJob(id)).toBeUndefined();
    expect(await base.webhooks.get(messageIdOf(id))).toBeUndefined();
    expect(await base.webhooks.due(NOW + 1e9, 10)).toEqual([]);
    expect(["results", "tmp"].flatMap((name) => readdirSync(join(world.folder, "files", name)))).toEqual([]);
  });

  it("sends no webhook message for a job that is erased before its end is announced", async () => {
    const { base, accountId, id } = await acceptedOn(world, harness());
    const remove = () => deleteJob.run(base)({ ...requestOf(undefined), accountId, params: { id }, now: NOW });
    await remove();
    const announced = interrupted(base, "create", async () => void (await remove()));
    await announceEnd(announced)(id);
    await announceEnd(base)(id);
    expect(world.asked).toEqual([]);
    expect(await base.webhooks.get(messageIdOf(id))).toBeUndefined();
  });
};

/** A job with a file and a webhook, in a context with these stores and a folder. */
const acceptedOn = async (
  world: World,
  { jobs, quotas, uploads, webhooks }: JobStoreHarness,
): Promise<{ base: Context; accountId: string; id: string }> => {
  const base: Context = { ...world.context, jobs, quotas, uploads, webhooks };
  const upload = uploadRecord();
  const { accountId } = upload;
  await base.files.storeStream(upload.key, one(), 100);
  await uploads.createUpload(upload, undefined);
  const webhook = { url: "https://example.com/hook", baseUrl: "https://anyform.test" };
  const job = jobRecord({ accountId, uploadId: upload.id, inputKey: upload.key, webhook });
  await jobs.createJob(job, undefined);
  return { base, accountId, id: job.id };
};

/** @returns the context, in which `happens` runs once, after this step and before its result is returned */
const interrupted = (base: Context, moment: Moment, happens: () => Promise<void>): Context => {
  let happened = false;
  const after =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await work(...args);
      if (!happened) {
        happened = true;
        await happens();
      }
      return result;
    };
  const jobs: JobStore = {
    ...base.jobs,
    ...(moment === "claim" && { claim: after(base.jobs.claim) }),
    ...(moment === "finish" && { finish: after(base.jobs.finish) }),
  };
  const files: FileStore = { ...base.files, ...(moment === "storeFile" && { storeFile: after(base.files.storeFile) }) };
  const webhooks: WebhookStore = {
    ...base.webhooks,
    ...(moment === "create" && { create: after(base.webhooks.create) }),
  };
  return { ...base, jobs, files, webhooks };
};

const one = async function* () {
  yield Buffer.from("a picture");
};

/** Another request has erased it. */
const notFound = (error: unknown): void => {
  expect(error).toMatchObject({ code: "not_found" });
};
