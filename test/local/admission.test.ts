import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBatch } from "../../functions/api/create-batch.ts";
import { createJob } from "../../functions/api/create-job.ts";
import { createUpload } from "../../functions/api/create-upload.ts";
import { BATCH_CONVERSIONS_MAX, RETRY_AFTER_SECONDS_MAX } from "../../functions/domain/limits.ts";
import type { Context } from "../../functions/domain/ports.ts";
import type { BatchView } from "../../functions/domain/views.ts";
import { type AdmissionSettings, type LocalAdmission, localAdmission } from "../../local/admission.ts";
import { type Database, openDatabase } from "../../local/database.ts";
import { folderFiles } from "../../local/folder-files.ts";
import { type LocalQueue, sqliteQueue } from "../../local/sqlite-queue.ts";
import { addressOf } from "../support/address.ts";
import { accountRecord, NOW, quotaRecord, uploadRecord } from "../support/records.ts";
import { requestOf } from "../support/requests.ts";
import { makeWorld, type World } from "../support/world.ts";

const WAITING_MAX = 8;
/** What an account gets of it, alone. */
const ALONE = 4;

let world: World;
let database: Database;
let queue: LocalQueue;
beforeEach(() => {
  world = makeWorld(NOW);
  database = openDatabase(world.folder);
  queue = sqliteQueue(database, { receivesMax: 4 });
});
afterEach(async () => {
  database.close();
  await world.close();
});

const admissionWith = (settings: Partial<AdmissionSettings> = {}): LocalAdmission =>
  localAdmission({ queue, waitingMax: WAITING_MAX, folder: world.folder, clock: () => world.now, ...settings });
const contextWith = (admission: LocalAdmission): Context => ({ ...world.context, queue, admission });

/** An account with an upload, and a request of it for a conversion. */
const accountWithUpload = async () => {
  const { id: accountId } = accountRecord();
  const claim = quotaRecord(accountId, 1_000);
  const upload = uploadRecord({ accountId });
  await world.context.uploads.createUpload(upload, undefined);
  const body = { upload_id: upload.id, target_format: "jpg" };
  return { accountId, claim, body, request: { ...requestOf(body), accountId, claim, now: NOW } };
};

const seconds = (headers: Readonly<Record<string, string>> = {}): number => Number(headers["retry-after"]);
const refused = {
  code: "temporarily_unavailable",
  extra: { headers: { "retry-after": expect.stringMatching(/^\d+$/) } },
};

describe("The queue of one machine", () => {
  it("takes as many jobs of an account as places are left, and no more, however many ask at once", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId, claim } = await accountWithUpload();
    const asked = await Promise.allSettled(Array.from({ length: 50 }, () => createJob(context)(request)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(ALONE);
    for (const answer of asked) {
      expect(answer).toMatchObject(answer.status === "rejected" ? { reason: refused } : { value: { status: 202 } });
    }
    expect(queue.waiting.all()).toBe(ALONE);
    expect(await context.quotas.used(accountId, claim.month)).toBe(ALONE);
    const { items } = await context.jobs.listJobs({ accountId, limit: 100 });
    expect(items).toHaveLength(ALONE);
  });

  it("has room for another account when one has filled its share", async () => {
    const context = contextWith(admissionWith());
    const [flood, other] = [await accountWithUpload(), await accountWithUpload()];
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob(context)(flood.request)));
    expect(await createJob(context)(other.request)).toMatchObject({ status: 202 });
  });

  it("has room again when a converter has taken a job", async () => {
    const context = contextWith(admissionWith());
    const { request } = await accountWithUpload();
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob(context)(request)));
    queue.receive("fast", NOW, NOW + 1_000);
    expect(await createJob(context)(request)).toMatchObject({ status: 202 });
    await expect(createJob(context)(request)).rejects.toMatchObject(refused);
  });

  it("keeps no place for a request that is refused for another reason", async () => {
    const context = contextWith(admissionWith());
    const { request } = await accountWithUpload();
    for (let count = 0; count < 20; count += 1) {
      const wrong = { ...request, body: { ...request.body, target_format: "nothing" } };
      await expect(createJob(context)(wrong)).rejects.toMatchObject({ code: "unsupported_conversion" });
    }
    expect(await createJob(context)(request)).toMatchObject({ status: 202 });
  });

  it("answers each conversion of a batch for itself", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId, claim } = await accountWithUpload();
    const conversions = Array.from({ length: BATCH_CONVERSIONS_MAX }, () => request.body);
    const { body } = await createBatch(context)({ ...request, body: { conversions } });
    const codes = (body as BatchView).items.map(({ status, problem }) => problem?.code ?? status);
    expect(codes.slice(0, ALONE)).toEqual([202, 202, 202, 202]);
    expect(new Set(codes.slice(ALONE))).toEqual(new Set(["temporarily_unavailable"]));
    expect(await context.quotas.used(accountId, claim.month)).toBe(ALONE);
  });

  it("is as full after a restart as it was before", async () => {
    const context = contextWith(admissionWith());
    const { request, accountId } = await accountWithUpload();
    await Promise.allSettled(Array.from({ length: 50 }, () => createJob(context)(request)));
    const { messageId } = queue.receive("fast", NOW, NOW + 1_000) ?? { messageId: "" };
    const again = sqliteQueue(database, { receivesMax: 4 });
    expect([again.waiting.all(), again.waiting.of(accountId)]).toEqual([ALONE - 1, ALONE - 1]);
    again.reviveAll();
    again.receive("fast", NOW, NOW + 1_000);
    expect(again.waiting.all()).toBe(ALONE - 1);
    expect(again.acknowledge(messageId)).toBe(false);
  });
});

describe("Retry-After", () => {
  const refusalOf = (admission: LocalAdmission, accountId: string): number => {
    try {
      for (;;) {
        admission.job(accountId);
      }
    } catch (error) {
      return seconds((error as { extra: { headers: Record<string, string> } }).extra.headers);
    }
  };

  it("is the time in which a tenth of the account's jobs ends, at the pace of the last ones", () => {
    const admission = admissionWith({ waitingMax: 4_000 });
    for (let job = 0; job < 64; job += 1) {
      world.now += 500;
      admission.jobEnded();
    }
    // 2,000 wait, 200 of them end at two a second.
    expect(refusalOf(admission, "acc_a")).toBeGreaterThanOrEqual(95);
    expect(refusalOf(admission, "acc_a")).toBeLessThanOrEqual(105);
  });

  it("is at least a second and at most five minutes, also before anything has ended", () => {
    expect(refusalOf(admissionWith(), "acc_a")).toBe(1);
    const still = admissionWith({ waitingMax: 1_000_000 });
    expect(refusalOf(still, "acc_a")).toBe(RETRY_AFTER_SECONDS_MAX);
  });
});

describe("A disk that is nearly full", () => {
  /** More than any disk has. */
  const FREE_BYTES = 1e18;
  const frame = (content: string): string =>
    `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n--b--\r\n`;
  const form = (content: string) => ({
    headers: { "content-type": "multipart/form-data; boundary=b", "content-length": String(frame(content).length) },
    stream: () => Readable.from([Buffer.from(frame(content))]),
  });
  const announcement = (body: object) => ({
    headers: { "content-type": "application/json" },
    stream: () => Readable.from([Buffer.from(JSON.stringify(body))]),
  });

  it("takes no file, stores nothing of it and counts nothing", async () => {
    const context = contextWith(admissionWith({ freeBytesMin: FREE_BYTES }));
    const { request, accountId, claim } = await accountWithUpload();
    for (const sent of [form("hello"), announcement({ filename: "a.png", size: 10 })]) {
      await expect(createUpload(context)({ ...request, body: undefined, ...sent })).rejects.toMatchObject(refused);
    }
    expect(readdirSync(join(world.folder, "files/uploads"))).toEqual([]);
    expect(readdirSync(join(world.folder, "files/tmp"))).toEqual([]);
    expect(await context.quotas.used(accountId, claim.month)).toBe(0);
  });

  it("takes no file that would fill it, nor several that would together, and takes them when there is room", () => {
    const admission = admissionWith({ freeBytesMin: 0 });
    expect(() => admission.file("acc_a", FREE_BYTES)).toThrow(expect.objectContaining(refused));
    const roomy = admissionWith({ freeBytesMin: -FREE_BYTES });
    const giveBack = roomy.file("acc_a", 0.7 * FREE_BYTES);
    expect(() => roomy.file("acc_a", 0.7 * FREE_BYTES)).toThrow(
      expect.objectContaining({ code: "temporarily_unavailable" }),
    );
    giveBack();
    giveBack();
    expect(() => roomy.file("acc_a", 0.7 * FREE_BYTES)).not.toThrow();
  });

  it("keeps no more than half of its room for what one account has announced", () => {
    const admission = admissionWith({ freeBytesMin: -FREE_BYTES });
    const announce = (accountId: string) => admission.file(accountId, 0.2 * FREE_BYTES);
    announce("acc_a");
    announce("acc_a");
    expect(() => announce("acc_a")).not.toThrow();
    expect(() => announce("acc_a")).toThrow(expect.objectContaining(refused));
    expect(() => announce("acc_b")).not.toThrow();
  });

  it("tells a client whose file is too large for the service so, and not to come back", async () => {
    const context = { ...contextWith(admissionWith({ freeBytesMin: 0 })), uploadBytesMax: 10 };
    const { request } = await accountWithUpload();
    const { stream, headers } = form("hello");
    const huge = { stream, headers: { ...headers, "content-length": "9".repeat(30) } };
    const asked = createUpload(context)({ ...request, body: undefined, ...huge });
    await expect(asked).rejects.toMatchObject({ code: "payload_too_large" });
  });

  it("refuses a file that is put to a signed URL before its bytes, and takes it when there is room", async () => {
    let freeBytesMin = FREE_BYTES;
    const files = folderFiles({
      folder: join(world.folder, "signed"),
      baseUrl: () => "",
      secret: Buffer.alloc(32),
      clock: () => world.now,
      room: (party, bytes) => admissionWith({ freeBytesMin }).file(party, bytes),
    });
    const server = createServer((request, response) => files.serveSigned(request, response));
    const origin = await addressOf(server);
    const { url } = await files.signedPut("uploads/upl_1", { bytes: 5, expiresAt: NOW + 60_000 });
    const put = () => fetch(`${origin}${url}`, { method: "PUT", body: "hello" });
    const reply = await put();
    expect([reply.status, Number(reply.headers.get("retry-after"))]).toEqual([503, RETRY_AFTER_SECONDS_MAX]);
    expect(await reply.json()).toMatchObject({ code: "temporarily_unavailable" });
    expect(await files.bytesOf("uploads/upl_1")).toBeUndefined();
    freeBytesMin = 0;
    expect((await put()).status).toBe(200);
    expect(await files.bytesOf("uploads/upl_1")).toBe(5);
    server.closeAllConnections();
    server.close();
  });

  it("takes files while there is room", async () => {
    const context = contextWith(admissionWith());
    const { request } = await accountWithUpload();
    expect(await createUpload(context)({ ...request, body: undefined, ...form("hello, world") })).toMatchObject({
      status: 201,
    });
  });
});
