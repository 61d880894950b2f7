import { createServer, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ExportTarget,
  exportIdOf,
  exportMessageOf,
  sealTarget,
} from "../../functions/domain/exports/job-export.ts";
import { sealCredentials } from "../../functions/domain/exports/storage.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { WEBHOOK_PAUSES_MS } from "../../functions/domain/webhooks/message.ts";
import { deliverExport } from "../../functions/events/deliver-export.ts";
import { addressOf } from "../support/address.ts";
import { startWebdav, WEBDAV_USER, type Webdav } from "../support/services/webdav.ts";
import { completedOutcome, jobRecord, NOW, quotaRecord } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

const CONTENT = Buffer.alloc(300_000, "result ");

describe("the export of a result", () => {
  let world: World;
  let server: Server;
  let origin: string;
  let webdav: Webdav;
  let status: number;
  let answer: string;
  let came: { request: IncomingMessage; body: Buffer }[];
  beforeEach(async () => {
    world = makeWorld(NOW);
    [came, status, answer] = [[], 200, ""];
    server = createServer(async (request, response) => {
      came.push({ request, body: await buffer(request) });
      response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(answer);
    });
    origin = await addressOf(server);
    webdav = await startWebdav();
  });
  afterEach(async () => {
    server.close();
    webdav.close();
    await world.close();
  });

  /** A completed job whose result goes to the target. */
  const exporting = async (target: ExportTarget, over: Partial<Job> = {}): Promise<Job> => {
    const { context } = world;
    const draft = jobRecord(over);
    const sealed = sealTarget(context.sealer, draft.id, target);
    const job = { ...draft, export: { target: sealed, location: "?", status: "pending", attempts: 0 } as const };
    await context.jobs.createJob(job, quotaRecord(job.accountId, 10));
    await context.jobs.claim(job.id, NOW);
    const outcome = completedOutcome(job.id, 1);
    const stored = await context.files.storeStream(outcome.result.key, one(CONTENT), 1e9);
    await context.jobs.finish(job.id, 1, { ...outcome, result: { ...outcome.result, ...stored } }, NOW);
    return job;
  };
  const saved = async (accountId: string): Promise<void> => {
    const storage = { accountId, name: "cloud" };
    await world.context.storages.put({
      ...storage,
      place: { type: "webdav", endpoint: `${webdav.url}/` },
      sealed: sealCredentials(world.context.sealer, storage, {
        id: WEBDAV_USER.username,
        secret: WEBDAV_USER.password,
      }),
      createdAt: NOW,
      updatedAt: NOW,
    });
  };
  const deliver = (job: Job, importAllowed = ["127.0.0.1"]) =>
    deliverExport({ ...world.context, importAllowed })(exportIdOf(job.id));
  const stateOf = async ({ id }: Job) => (await world.context.jobs.getJob(id))?.export;
  const put = (path: string, headers = {}) => ({ url: `${origin}${path}`, method: "PUT", headers }) as const;

  test("is sent to a URL with its length, type and name, and forgets the URL", async () => {
    const job = await exporting(put("/a?signature=secret", { "x-custom": "1", "content-type": "image/x-webp" }));
    expect((await world.context.webhooks.get(exportIdOf(job.id)))?.status).toBe("pending");
    await deliver(job);
    expect(came.map(({ request }) => [request.method, request.url])).toEqual([["PUT", "/a?signature=secret"]]);
    expect(came[0]?.body.equals(CONTENT)).toBe(true);
    expect(came[0]?.request.headers).toMatchObject({
      "content-length": String(CONTENT.length),
      "content-type": "image/x-webp",
      "content-disposition": expect.stringContaining("M_ller"),
      "x-custom": "1",
    });
    expect(came[0]?.request.headers).not.toHaveProperty("transfer-encoding");
    expect(await stateOf(job)).toEqual({ status: "delivered", location: "?", attempts: 1 });
  });

  test("creates the folders of a WebDAV storage, and is stored under its filled-in key", async () => {
    const job = await exporting({ storage: "cloud", key: "2026/{id}/{name}" });
    await saved(job.accountId);
    await deliver(job);
    const path = `/2026/${job.id}/Müller & Söhne.webp`;
    expect(webdav.files.get(path)?.equals(CONTENT)).toBe(true);
    expect([...webdav.folders]).toEqual(["", "/2026", `/2026/${job.id}`]);
    expect(await stateOf(job)).toMatchObject({
      status: "delivered",
      location: `${webdav.url}/2026/${job.id}/M%C3%BCller%20%26%20S%C3%B6hne.webp`,
    });
  });

  test("is retried on the schedule of webhooks while the result exists, and then fails without touching the job", async () => {
    [status, answer] = [503, "<Error><Code>SlowDown</Code></Error>"];
    const job = await exporting(put("/a"));
    const before = await world.context.jobs.getJob(job.id);
    const times: number[] = [];
    for (let attempt = 0; attempt < 20 && (await stateOf(job))?.status === "pending"; attempt += 1) {
      world.now = (await world.context.webhooks.get(exportIdOf(job.id)))?.dueAt ?? 0;
      times.push(world.now);
      await deliver(job);
      if (attempt === 0) {
        expect(await stateOf(job)).toMatchObject({
          status: "pending",
          attempts: 1,
          error: "The server returned status 503 (SlowDown).",
        });
      }
    }
    const pauses = times.slice(1).map((time, index) => Math.round((time - (times[index] ?? 0)) / 1_000));
    expect(pauses).toEqual(WEBHOOK_PAUSES_MS.slice(0, pauses.length).map((pause) => pause / 1_000));
    // The schedule is longer than the 24 hours of a result.
    expect(await stateOf(job)).toEqual({
      status: "failed",
      location: "?",
      attempts: times.length,
      error: "The result has expired.",
    });
    const { export: _, ...rest } = (await world.context.jobs.getJob(job.id)) ?? {};
    expect(before).toMatchObject(rest);
  });

  test("does not follow redirects, and does not reach private addresses", async () => {
    status = 307;
    const moved = await exporting(put("/a"));
    await deliver(moved);
    expect(came).toHaveLength(1);
    expect(await stateOf(moved)).toMatchObject({ status: "pending", error: "The server returned status 307." });
    const refused = await exporting(put("/b"));
    await deliver(refused, []);
    expect(came).toHaveLength(1);
    expect((await stateOf(refused))?.error).toContain("private network");
  });

  test("is sent once by two concurrent workers", async () => {
    const job = await exporting(put("/a"));
    await Promise.all([deliver(job), deliver(job), deliver(job)]);
    expect(came).toHaveLength(1);
  });

  test("ends at a 410, and when its storage or its file is deleted", async () => {
    status = 410;
    const gone = await exporting(put("/a"));
    await deliver(gone);
    expect(await stateOf(gone)).toMatchObject({ status: "failed", attempts: 1 });
    const without = await exporting({ storage: "cloud", key: "{name}" });
    await deliver(without);
    expect(await stateOf(without)).toMatchObject({ status: "failed", error: "Storage cloud was deleted." });
    const erased = await exporting(put("/b"));
    await world.context.files.remove([(await world.context.jobs.getJob(erased.id))?.result?.key ?? ""]);
    await deliver(erased);
    expect(await stateOf(erased)).toMatchObject({ status: "failed", error: "The result was deleted." });
  });

  test("is delivered only for a completed job", () => {
    const given = { target: "x", location: "?", status: "pending", attempts: 0 } as const;
    expect(exportMessageOf(jobRecord({ export: given, status: "failed" }), NOW)).toBeUndefined();
    expect(exportMessageOf(jobRecord({ status: "completed" }), NOW)).toBeUndefined();
    expect(exportMessageOf(jobRecord({ export: given, status: "completed" }), NOW)).toMatchObject({ dueAt: NOW });
  });
});

const one = async function* (content: Buffer) {
  yield content;
};
