import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import { downloadResult } from "../../../functions/api/jobs/download-result.ts";
import { getJob } from "../../../functions/api/jobs/get-job.ts";
import type { Answer, ApiRequest } from "../../../functions/api/request.ts";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
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

/** Expiry of files, with real stores and the test's clock. */

const HOUR_MS = 3_600_000;

let world: World;
beforeEach(() => {
  world = makeWorld(NOW);
});
afterEach(() => world.close());

const { id: accountId } = accountRecord();
const claim = quotaRecord(accountId, 100);

const asked = <Body>(body: Body, params: Record<string, string> = {}): ApiRequest<Body> => ({
  ...requestOf(body),
  params,
  now: world.now,
  accountId,
  claim,
});

const codeOf = async (answer: Promise<Answer>): Promise<unknown> => {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error && "code" in error ? error.code : "no error";
};

const completedJob = async () => {
  const job = jobRecord({ accountId });
  await world.context.jobs.createJob(job, claim);
  await world.context.jobs.claim(job.id, NOW);
  await world.context.jobs.finish(job.id, 1, completedOutcome(job.id, 1), NOW);
  const token = (await world.context.jobs.getJob(job.id))?.result?.token ?? "";
  return { job, token };
};

describe("after a day", () => {
  it("a token is expired, not unknown, and its download is not counted", async () => {
    const { token } = await completedJob();
    world.now = NOW + 23 * HOUR_MS;
    expect((await downloadResult.run(world.context)(asked(undefined, { token }))).file).toMatch(/^\/files\/results\//);
    const used = await world.context.quotas.used(accountId, claim.month);
    world.now = NOW + 25 * HOUR_MS;
    expect(await codeOf(downloadResult.run(world.context)(asked(undefined, { token })))).toBe("expired");
    expect(await world.context.quotas.used(accountId, claim.month)).toBe(used);
    expect(await codeOf(downloadResult.run(world.context)(asked(undefined, { token: `dl_${"0".repeat(43)}` })))).toBe(
      "not_found",
    );
  });

  it("a completed job has an expired result", async () => {
    const { job } = await completedJob();
    world.now = NOW + 25 * HOUR_MS;
    const { body } = await getJob.run(world.context)(asked(undefined, { id: job.id }));
    expect(body as JobView).toMatchObject({
      status: "expired",
      result: null,
      expires_at: new Date(NOW + 24 * HOUR_MS).toISOString(),
    });
  });

  it("an upload is expired and cannot be converted, and the request is not counted", async () => {
    const upload = uploadRecord({ accountId });
    await world.context.uploads.createUpload(upload, claim);
    world.now = NOW + 25 * HOUR_MS;
    const request = asked({ upload_id: upload.id, target_format: "jpg" });
    expect(await codeOf(createJob.run(world.context)(request))).toBe("expired");
    expect(await world.context.quotas.used(accountId, claim.month)).toBe(1);
  });
});

describe("an idempotency key", () => {
  it("is stored for a day, and can then be used for another request", async () => {
    const upload = uploadRecord({ accountId, expiresAt: NOW + 100 * HOUR_MS });
    await world.context.uploads.createUpload(upload, claim);
    const key = randomBytes(8).toString("hex");
    const send = async (target_format: string) => {
      const request = { ...asked({ upload_id: upload.id, target_format }), headers: { "idempotency-key": key } };
      return (await createJob.run(world.context)(request)).body as JobView;
    };
    const first = await send("jpg");
    world.now = NOW + 23 * HOUR_MS;
    expect((await send("jpg")).id).toBe(first.id);
    world.now = NOW + 25 * HOUR_MS;
    expect((await send("webp")).id).not.toBe(first.id);
  });
});
