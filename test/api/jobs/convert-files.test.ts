import { randomUUID } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createJob } from "../../../functions/api/jobs/create-job.ts";
import type { Answer, ApiRequest } from "../../../functions/api/request.ts";
import { RequestError } from "../../../functions/domain/errors.ts";
import { jobSchema } from "../../../functions/domain/jobs/job-views.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { convertFile } from "../../../functions/events/convert-file.ts";
import type { RunConversion } from "../../../functions/events/convert-inputs.ts";
import { accountRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

/** Conversions in one call on real stores: what remains stored and counted, and how the result is returned. */

const PNG = readFileSync(join(import.meta.dirname, "../../fixtures/sample.png"));
const account = accountRecord();
let world: World;
let context: Context;
/** Results are moved into the file store, so this one is a copy. */
const converted: RunConversion = async ({ input }) => {
  const output = join(world.folder, randomUUID());
  copyFileSync(input, output);
  return { output, bundled: false, timings: [], warnings: [] };
};

beforeEach(async () => {
  world = makeWorld(NOW);
  context = world.context;
  await context.accounts.createAccount(account);
});
afterEach(() => world.close());

const claim = quotaRecord(account.id, 100);
const used = () => context.quotas.used(account.id, claim.month);
const storedIn = (folder: "results" | "tmp" | "uploads") => readdirSync(join(world.folder, "files", folder));

interface Sent {
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly over?: Partial<ApiRequest<undefined>>;
}

const request = ({ fields = {}, headers = {}, over = {} }: Sent): ApiRequest<undefined> => {
  const parts = Object.entries({ target_format: "jpg", ...fields }).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(`${parts.join("")}${file}`), PNG, Buffer.from("\r\n--b--\r\n")]);
  return {
    ...requestOf(undefined),
    headers: { "content-type": "multipart/form-data; boundary=b", prefer: "wait=0", ...headers },
    stream: () => Readable.from([body]),
    accountId: account.id,
    account,
    claim,
    now: world.now,
    ...over,
  };
};
const convert = (sent: Sent = {}, on = context): Promise<Answer> => createJob.run(on)(request(sent));
const finish = async ({ body }: Answer): Promise<string> => {
  const { id } = jobSchema.parse(body);
  await convertFile(context, converted)({ jobId: id, accountId: account.id });
  return id;
};

describe("a rejected conversion in one call", () => {
  const headers = { "idempotency-key": "k" };
  test.each<[string, Sent]>([
    ["missing target", { fields: { target_format: "" } }],
    ["unknown option", { fields: { "options[qualty]": "1" } }],
    ["impossible target", { fields: { target_format: "mp3" } }],
    ["used-up quota", { over: { claim: quotaRecord(account.id, 0) } }],
    ["webhook of a visitor", { fields: { webhook_url: "https://example.com" }, over: { session: visitor() } }],
  ])("for a %s leaves no file and no count", async (_, sent) => {
    await expect(convert(sent)).rejects.toThrow(RequestError);
    expect([storedIn("uploads"), storedIn("tmp"), await used(), world.sent]).toEqual([[], [], 0, []]);
    // The key is free for another request.
    await expect(convert({ ...sent, headers })).rejects.toThrow(RequestError);
    expect((await convert({ headers })).status).toBe(202);
  });

  test("for a full queue leaves no file, and its uploads are expired", async () => {
    const full = () => {
      throw new RequestError("temporarily_unavailable", "The queue is full.");
    };
    const ids: string[] = [];
    const createUpload: Context["uploads"]["createUpload"] = (upload, ...rest) => {
      ids.push(upload.id);
      return context.uploads.createUpload(upload, ...rest);
    };
    const busy = {
      ...context,
      admission: { job: full, file: () => () => {} },
      uploads: { ...context.uploads, createUpload },
    };
    await expect(convert({}, busy)).rejects.toMatchObject({ code: "temporarily_unavailable" });
    expect([storedIn("uploads"), await used()]).toEqual([[], 0]);
    expect((await context.uploads.getUpload(ids[0] ?? ""))?.expiresAt).toBe(world.now);
  });

  test("without disk space is not read, and a repeated request needs none", async () => {
    const first = await convert({ headers });
    const noSpace = () => {
      throw new RequestError("temporarily_unavailable", "The disk is full.");
    };
    const full = { ...context, admission: { job: () => () => {}, file: noSpace } };
    await expect(convert({}, full)).rejects.toMatchObject({ code: "temporarily_unavailable" });
    const again = await convert({ headers }, full);
    expect([again.headers?.["idempotent-replayed"], jobSchema.parse(again.body).id]).toEqual([
      "true",
      jobSchema.parse(first.body).id,
    ]);
    expect(storedIn("uploads")).toHaveLength(1);
  });
});

function visitor() {
  return { by: "visitor", accountId: account.id } as unknown as NonNullable<ApiRequest["session"]>;
}

describe("a repeated conversion in one call", () => {
  const headers = { "idempotency-key": "k" };
  test("returns the file of the first, keeps one upload and counts one request", async () => {
    const id = await finish(await convert({ headers }));
    const again = await convert({ headers });
    expect(again).toMatchObject({
      status: 200,
      file: expect.stringMatching(/^\/files\/results\/job_/),
      headers: { "idempotent-replayed": "true", "x-job-id": id, "content-length": String(PNG.length) },
    });
    expect([storedIn("uploads").length, await used()]).toEqual([1, 1]);
  });

  test("is rejected while the first is received, and when its content differs", async () => {
    const slow = request({ headers, over: { id: "slow", stream: () => new Readable({ read: () => {} }) } });
    createJob
      .run(context)(slow)
      .catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    await expect(convert({ headers })).rejects.toMatchObject({ code: "idempotency_conflict" });
    const other = { "idempotency-key": "other" };
    await convert({ headers: other });
    await expect(convert({ headers: other, fields: { quality: "80" } })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    expect(storedIn("uploads")).toHaveLength(1);
  });
});

describe("the result of a conversion in one call", () => {
  const headers = { "idempotency-key": "k" };
  const onLambda = (): Context => {
    const { servedByGateway: _, ...files } = context.files;
    return { ...context, files };
  };

  test("is the body on Lambda up to 4 MB, and a redirect above", async () => {
    await finish(await convert({ headers }));
    const small = await convert({ headers }, onLambda());
    expect([small.status, Buffer.from(small.bytes ?? []).equals(PNG)]).toEqual([200, true]);
    const { jobs } = context;
    const large: Context["jobs"] = {
      ...jobs,
      getJob: async (id) => {
        const job = await jobs.getJob(id);
        return job?.result && { ...job, result: { ...job.result, bytes: 4_000_001 } };
      },
    };
    const redirect = await convert({ headers }, { ...onLambda(), jobs: large });
    expect(redirect).toMatchObject({ status: 303, headers: { location: expect.stringContaining("/files/results/") } });
  });

  test("is erased after the first response for an account that keeps nothing", async () => {
    const over = { account: { ...account, retentionHours: 0 } };
    const id = await finish(await convert({ headers, over }));
    const json = await convert({ headers: { ...headers, accept: "application/json" }, over });
    expect([json.status, world.asked]).toEqual([200, []]);
    expect((await convert({ headers, over })).file).toBeDefined();
    expect(world.asked).toEqual([id]);
    world.now += 301_000;
    await expect(convert({ headers, over })).rejects.toMatchObject({ code: "expired" });
  });

  test("of a cancelled job is a problem", async () => {
    const { id } = jobSchema.parse((await convert({ headers })).body);
    await context.jobs.cancel(id, world.now);
    expect(await convert({ headers })).toMatchObject({ status: 422, body: { code: "cancelled", job_id: id } });
  });
});
