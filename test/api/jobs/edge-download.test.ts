import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { s3Files } from "../../../functions/adapters/s3/files.ts";
import { downloadResult } from "../../../functions/api/jobs/download-result.ts";
import type { ApiRequest } from "../../../functions/api/request.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { accountRecord, completedOutcome, jobRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** Redirects of downloads requested through the distribution. URLs are signed, but no request is sent to them. */

const SECRET = "what-the-distribution-shows";
const BASE = "https://files.example.com";

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "not-a-secret" };
const signer = new S3Client({ region: "eu-central-1", credentials });

let world: World;
let context: Context;
beforeEach(() => {
  world = makeWorld(NOW);
  const { signedUrl } = s3Files({ client: signer, signer, name: "some-bucket", clock: () => NOW });
  const { servedByGateway: _, ...files } = world.context.files;
  context = { ...world.context, files: { ...files, signedUrl }, edgeSecret: SECRET };
});
afterEach(() => world.close());

const completed = async (): Promise<(headers: Record<string, string>) => ApiRequest<undefined>> => {
  const { id: accountId } = accountRecord();
  const job = jobRecord({ accountId });
  const claim = quotaRecord(accountId, 100);
  await context.jobs.createJob(job, claim);
  await context.jobs.claim(job.id, NOW);
  await context.jobs.finish(job.id, 1, completedOutcome(job.id, 1), NOW);
  const token = (await context.jobs.getJob(job.id))?.result?.token ?? "";
  const request = { ...requestOf(undefined), method: "GET", baseUrl: BASE, params: { token } };
  return (headers) => ({ ...request, headers, now: NOW, accountId, claim });
};

test("through the distribution, a download redirects to the same host with the complete signature", async () => {
  const asked = await completed();
  const direct = (await downloadResult.run(context)(asked({}))).headers?.location ?? "";
  expect(direct).toMatch(/^https:\/\/some-bucket\.s3\.eu-central-1\.amazonaws\.com\/results\/job_/);
  const led = await downloadResult.run(context)(asked({ "x-anyform-edge": SECRET }));
  expect(led.status).toBe(302);
  expect(`https://some-bucket.s3.eu-central-1.amazonaws.com${led.headers?.location}`).toBe(direct);
});

test("as JSON, the URL has the name that the client requested", async () => {
  const asked = await completed();
  const { body } = await downloadResult.run(context)(asked({ "x-anyform-edge": SECRET, accept: "application/json" }));
  expect(body).toMatchObject({
    url: expect.stringMatching(/^https:\/\/files\.example\.com\/results\/job_.*X-Amz-Sig/),
  });
});

test.each([{ "x-anyform-edge": "a guess" }, { "x-anyform-edge": "" }, { "x-anyform-host": "files.example.com" }])(
  "a client that claims to be the distribution is redirected to the bucket: %o",
  async (headers) => {
    const asked = await completed();
    expect((await downloadResult.run(context)(asked(headers))).headers?.location).toMatch(
      /^https:\/\/some-bucket\.s3\./,
    );
  },
);
